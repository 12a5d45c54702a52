import { describe, expect, test } from 'vitest'
import {
  type RefusalCommand,
  type RefusalEvent,
  refusalEvents,
  refusalStream,
  refusals,
} from '../../../src/domain/kernel/refusal.ts'
import { specify } from '../../given.ts'

const given = specify(refusals)
const at = '2026-01-01T00:00:00.000Z'
const refusal = {
  processor: 'fonds.accounts',
  topic: 'fonds.accounts.orders',
  message: '7',
  source: 'bank',
  type: 'withdraw',
  stream: 'account-a',
  code: 'overdrawn',
  because: 'it holds 0; ask for less',
}
const note: RefusalCommand = { type: 'Note', actor: 'fonds.accounts', at, refusal }
const rejected: RefusalEvent = { type: 'MessageRejected', data: { ...refusal, at } }

describe('refusals', () => {
  test('the outcome of a rejected message is kept', () => given().when(note).gives([rejected]))

  test('the first word stands', () =>
    given(rejected)
      .when({ ...note, refusal: { ...refusal, code: 'frozen' } })
      .gives([]))

  test('its stream', () => expect(refusalStream('x')).toBe('refusal-x'))

  test('MessageRejected as stored in schema 1 stays readable', () => {
    const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
    expect(refusalEvents.read({ ...rejected, metadata })).toEqual({ _tag: 'Right', right: rejected })
  })
})
