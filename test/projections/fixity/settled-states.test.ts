import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { events as eventSet, type FixityEvent } from '#src/domain/fixity/events.ts'
import { by, history, observe, recorded } from '../../domain/fixity/commands.ts'
import { fixityViews } from './views.ts'

/* `accepted` and `lost` say that a person ended a finding; neither is `verified`. */

const resolution = 'main/letters/1912/03.tif#1'
const close = (how: 'repaired' | 'lost' | 'accepted') =>
  ({ type: 'CloseResolution', ...by(9), resolution, how, reason: 'as agreed' }) as const
const sour = history([recorded()], observe('BAAA', 1))
const stateOf = (events: readonly FixityEvent[]) => {
  const views = fixityViews()
  views.fold(events)
  return views.row()?.state
}

describe.each(['accepted', 'lost'] as const)('%s', (how) => {
  const ended = history(sour, close(how))

  it('is the state from then on, also after the next checks found the same', () => {
    expect(stateOf(sour)).toBe('failed')
    expect(stateOf(ended)).toBe(how)
    expect(stateOf(history(ended, observe('BAAA', 10), observe('BAAA', 20)))).toBe(how)
  })

  it('is over where other bytes, another record or the right bytes are found', () => {
    expect(stateOf(history(ended, observe('CAAA', 10)))).toBe('failed')
    expect(stateOf([...ended, recorded('C', 10)])).toBe('unchecked')
    expect(stateOf(history([...ended, recorded('C', 10)], observe('BCCC', 11)))).toBe('failed')
    expect(stateOf(history(ended, observe('AAAA', 10)))).toBe('verified')
  })
})

it('another finding that is open keeps it failed', () => {
  const two = history([recorded()], observe('BAAA', 1), observe('ABAA', 2), {
    ...close('accepted'),
  })
  expect(stateOf(two)).toBe('failed')
})

it('repaired is a claim: failed until a check has seen it', () => {
  expect(stateOf(history(sour, close('repaired')))).toBe('failed')
})

it('what a person made the record is accepted, never verified, until others record it', () => {
  const accept = { type: 'AcceptContent', ...by(9), reason: 'rescanned' } as const
  const accepted = history(sour, accept)
  expect(stateOf(accepted)).toBe('unchecked')
  const checked = history(accepted, observe('BBBB', 10))
  expect(stateOf(checked)).toBe('accepted')
  expect(stateOf(history(accepted, observe('ABBB', 10)))).toBe('failed')
  expect(stateOf(history([...checked, recorded('B', 11)], observe('BBBB', 12)))).toBe('verified')
})

/** As a log of before says it: schema 1, and the observer's word of the audit log in place of the record. */
const oldLog = () => {
  const at = '2026-01-31T12:00:00.000Z'
  const [a, b] = ['a', 'b'].map((letter) => [{ algorithm: 'sha-256', value: letter.repeat(64) }])
  const heard = { source: 'observer', heardAt: at }
  const decided = (content: unknown, audit: unknown, more: object) => ({
    type: 'FixityDecided',
    data: {
      attempt: 'first',
      evidence: {
        content: { status: 'read', size: 3, checksums: content, ...heard },
        storage: { status: 'present', checksums: [], ...heard },
        index: { status: 'recorded', checksums: audit, ...heard },
        audit: { status: 'recorded', checksums: audit, ...heard },
      },
      because: 'as seen',
      observedAt: at,
      dueAt: at,
      ...more,
    },
  })
  const record = (checksums: unknown, recordedFrom: string) => ({
    type: 'ContentRecorded',
    data: { checksums, recordedFrom, at, dueAt: at },
  })
  const opened = { resolution: 'main/x#1', class: 'internal', row: 'F2', summary: 'sour', at }
  const closed = { resolution: 'main/x#1', how: 'accepted', reason: 'rescanned', at }
  return [
    record(a, 'manifest'),
    decided(b, a, { run: 1, pattern: 'A?BB', row: 'clause 6', outcome: 'failure', followUps: ['resolve'] }),
    { type: 'ResolutionOpened', data: opened },
    record(b, 'accepted by ada'),
    { type: 'ResolutionClosed', data: closed },
    decided(b, b, { run: 2, pattern: 'A?AA', row: 'clause 6', outcome: 'success', followUps: [] }),
  ].map(({ type, data }) => {
    const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
    const read = eventSet.read({ type, data, metadata })
    if (isLeft(read)) throw new Error(read.left)
    return read.right
  })
}

it('what was accepted is told from old events, too', () => {
  expect(stateOf(oldLog())).toBe('accepted')
})
