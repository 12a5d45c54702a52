import { describe, expect, it } from 'vitest'
import {
  bindingOf,
  type LogMark,
  type MarkedEvent,
  readMark,
  writeMark,
} from '../../../src/domain/kernel/group-binding.ts'

const at: MarkedEvent = { event: 'e-271', stream: 'fixity-main/a', revision: '3', position: '271' }
const earlier: MarkedEvent = { ...at, event: 'e-25', position: '25' }
const ours: LogMark = { log: 'ours', at }
const all = () => true
const none = () => false

describe('to which log a group is bound', () => {
  it.each<[string, (LogMark | undefined)[], (at: MarkedEvent) => boolean, object]>([
    ['a group without commits is free', [], all, { kind: 'free' }],
    ['so is one whose commits say nothing', [undefined, undefined], none, { kind: 'free' }],
    ['this log, with an event that it holds', [ours], all, { kind: 'ours' }],
    ['some say nothing', [undefined, ours], all, { kind: 'ours' }],
    ['this log, before its first event', [{ log: 'ours' }], none, { kind: 'ours' }],
    ['another log', [{ log: 'theirs', at }], all, { kind: 'other-log', log: 'theirs', at }],
    [
      'one word for another log is enough',
      [ours, { log: 'theirs' }],
      all,
      { kind: 'other-log', log: 'theirs' },
    ],
    ['this log, with an event that it lacks', [ours], none, { kind: 'other-copy', at }],
    [
      'every event counts, not the first alone',
      [{ log: 'ours', at: earlier }, ours],
      ({ event }) => event === 'e-25',
      { kind: 'other-copy', at },
    ],
  ])('%s', (_, marks, isHeld, expected) => expect(bindingOf('ours', marks, isHeld)).toEqual(expected))
})

describe('a mark beside an offset', () => {
  it('is read as it was written', () => {
    expect(readMark(writeMark(ours))).toEqual(ours)
    expect(readMark(writeMark({ log: 'ours' }))).toEqual({ log: 'ours' })
  })

  it('stays readable as it was stored, whatever is added to it', () => {
    const stored =
      '{"fonds":{"log":"ours","at":{"event":"e-271","stream":"fixity-main/a","revision":"3","position":"271"}}}'
    expect(writeMark(ours)).toBe(stored)
    expect(readMark(stored.replace('{"log"', '{"more":1,"log"'))).toMatchObject(ours)
  })

  it.each([null, undefined, '', 'reset by hand', '{}', '{"fonds":{}}', '{"fonds":{"log":"a","at":{}}}'])(
    '%s says nothing',
    (text) => expect(readMark(text)).toBeUndefined(),
  )
})
