import { describe, expect, test } from 'vitest'
import {
  type RejectedMessageCommand,
  type RejectedMessageEvent,
  rejectedMessageEvents,
  rejectedMessageStream,
  rejectedMessages,
} from '../../../src/domain/kernel/rejected-message.ts'
import { specify } from '../../given.ts'

const given = specify(rejectedMessages)
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
const note: RejectedMessageCommand = { type: 'Note', actor: 'fonds.accounts', at, rejected: refusal }
const rejected: RejectedMessageEvent = { type: 'MessageRejected', data: { ...refusal, at } }

describe('refusals', () => {
  test('the outcome of a rejected message is kept', () => given().when(note).gives([rejected]))

  test('the first word stands', () =>
    given(rejected)
      .when({ ...note, rejected: { ...refusal, code: 'frozen' } })
      .gives([]))

  test('its stream', () => expect(rejectedMessageStream('x')).toBe('refusal-x'))

  test('MessageRejected as stored in schema 1 stays readable', () => {
    const metadata = { actor: 'a', causationId: 'c', correlationId: 'c', schema: 1 }
    expect(rejectedMessageEvents.read({ ...rejected, metadata })).toEqual({ _tag: 'Right', right: rejected })
  })
})
