import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import {
  type DeadLetter,
  type DeadLetterCommand,
  type DeadLetterEvent,
  deadLetterEvents,
  deadLetterStream,
  deadLetters,
} from '../../../src/domain/kernel/dead-letter.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-dead-letters.json' with { type: 'json' }

const given = specify(deadLetters)
const at = '2026-01-02T00:00:00.000Z'
const by = { actor: 'ana', at }
const kept: DeadLetter = {
  processor: 'fonds.accounts',
  topic: 'fonds.accounts.orders',
  partition: 3,
  offset: '42',
  key: 'a',
  headers: { ce_id: '1' },
  value: '{',
  encoding: 'text',
  reason: 'not-json',
  path: null,
  message: 'the value is not JSON',
  at: '2026-01-01T00:00:00.000Z',
}
const { at: keptAt, ...letter } = kept
const deadLetter: DeadLetterCommand = { type: 'DeadLetter', actor: 'fonds.accounts', at: keptAt, letter }
const retry: DeadLetterCommand = { type: 'Retry', ...by, reason: 'the sender was repaired' }
const discard: DeadLetterCommand = { type: 'Discard', ...by, reason: 'a test' }
const deadLettered: DeadLetterEvent = { type: 'DeadLettered', data: kept }
const retried: DeadLetterEvent = {
  type: 'DeadLetterRetried',
  data: { reason: 'the sender was repaired', at },
}
const discarded: DeadLetterEvent = { type: 'DeadLetterDiscarded', data: { reason: 'a test', at } }

describe('dead letters', () => {
  test('a message that could not be used is kept whole', () => given().when(deadLetter).gives([deadLettered]))
  test('once', () => given(deadLettered).when(deadLetter).gives([]))
  test('and not again once it was retried', () => given(deadLettered, retried).when(deadLetter).gives([]))
  test('and not again once it was discarded', () => given(deadLettered, discarded).when(deadLetter).gives([]))

  test('one that waits can be retried, with the reason', () =>
    given(deadLettered).when(retry).gives([retried]))
  test('and with what a person put in the place of its value', () =>
    given(deadLettered)
      .when({ ...retry, edited: '{}' })
      .gives([{ type: 'DeadLetterRetried', data: { reason: 'the sender was repaired', at, edited: '{}' } }]))
  test('a retry that was stored before values could be edited is read as it was', () => {
    const { codec } = deadLetterEvents.specs.get('DeadLetterRetried')!
    expect(codec.decode({ reason: 'the sender was repaired', at })).toEqual({
      _tag: 'Right',
      right: { reason: 'the sender was repaired', at },
    })
  })
  test('one that waits can be discarded, with the reason', () =>
    given(deadLettered).when(discard).gives([discarded]))

  test.each([retry, discard])('$type: there is none', (command) => given().when(command).gives('unknown'))
  test.each([retry, discard])('$type: it was retried already', (command) =>
    given(deadLettered, retried).when(command).gives('settled'),
  )
  test.each([retry, discard])('$type: it was discarded already', (command) =>
    given(deadLettered, discarded).when(command).gives('settled'),
  )

  test('one whose content was too large to be kept can be discarded, not retried', () => {
    const emptied: DeadLetterEvent = { type: 'DeadLettered', data: { ...kept, value: '', encoding: 'none' } }
    given(emptied).when(retry).gives('not-kept')
    given(emptied).when(discard).gives([discarded])
    const { result } = given(emptied).when(retry)
    expect(isLeft(result) && result.left.message).toContain('fonds.accounts.orders (partition 3, offset 42)')
  })

  test('its state keeps the letter, for whoever retries it', () => {
    expect(given(deadLettered, retried).state).toEqual({ status: 'retried', letter: kept })
  })

  test('its stream', () => expect(deadLetterStream('x')).toBe('deadletter-x'))

  test.each([
    ['DeadLettered', kept],
    ['DeadLettered', { ...kept, key: null, path: 'data.amount', encoding: 'base64' }],
    ['DeadLettered', { ...kept, value: '', encoding: 'none' }],
    ['DeadLettered', { ...kept, raw: { key: '/w==', headers: [{ name: 'ce_id', value: 'MQ==' }] } }],
    ['DeadLettered', { ...kept, raw: { key: null, headers: [] } }],
    ['DeadLetterRetried', { reason: 'the sender was repaired', at }],
    ['DeadLetterDiscarded', { reason: 'a test', at }],
  ])('%s as stored in schema 1 stays readable', (type, data) => {
    const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
    expect(deadLetterEvents.read({ type, data: JSON.parse(JSON.stringify(data)), metadata })).toEqual({
      _tag: 'Right',
      right: { type, data },
    })
  })
})

testStored('a dead letter', deadLetterEvents, stored)
