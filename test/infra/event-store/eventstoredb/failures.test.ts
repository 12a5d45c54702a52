import { WrongExpectedVersionError } from '@eventstore/db-client'
import { describe, expect, it } from 'vitest'
import {
  actualOf,
  appendFailure,
  TimedOut,
  unavailable,
} from '../../../../infra/event-store/eventstoredb/failures.ts'

const server = 'esdb://h:2113'
const raw = (code: number, message: string) => Object.assign(new Error(message), { code })

describe('failures of the client as values', () => {
  it.each([
    ['no_stream', 'none'],
    [undefined, 'none'],
    [-1, 'none'],
    [-1n, 'none'],
    [0, 0n],
    [7n, 7n],
  ] as const)('actual version %s is %s', (given, wanted) => expect(actualOf(given)).toBe(wanted))

  it('a wrong expected version is a conflict, in both its forms', () => {
    const wrong = (current: 'no_stream' | bigint) =>
      new WrongExpectedVersionError(null as never, { streamName: 'a-1', current, expected: 3n })
    expect(appendFailure(server, 'a-1', 1, wrong('no_stream'))).toEqual({
      kind: 'Conflict',
      stream: 'a-1',
      actual: 'none',
    })
    expect(appendFailure(server, 'a-1', 1, wrong(2n))).toEqual({
      kind: 'Conflict',
      stream: 'a-1',
      actual: 2n,
    })
  })

  it.each([
    [raw(14, '14 UNAVAILABLE: nobody there'), 'cannot be reached (nobody there)'],
    [raw(4, '4 DEADLINE_EXCEEDED: late'), 'did not answer in time'],
    [raw(1, '1 CANCELLED: gone'), 'broke off the call'],
    [
      raw(10, '10 ABORTED: Operation timed out: prepare phase.'),
      'broke off: Operation timed out: prepare phase',
    ],
    [new TimedOut('still'), 'did not answer in time'],
    [raw(14, '14 UNAVAILABLE: no. Resolution note: '), 'cannot be reached (no); is it running'],
    [raw(14, '14 UNAVAILABLE: unable to verify the first certificate'), 'tlsCAFile'],
    [
      new Error('Failed to discover after 10 attempts.'),
      'cannot be reached (Failed to discover after 10 attempts)',
    ],
    [new Error('odd'), 'failed: odd'],
  ])('%s', (error, says) => {
    expect(unavailable(server, error)).toEqual({ kind: 'Unavailable', reason: expect.stringContaining(says) })
  })

  it.each([
    ['8 RESOURCE_EXHAUSTED: Received message exceeds the maximum configured message size.', 'TooLarge'],
    ['8 RESOURCE_EXHAUSTED: too many calls', 'Unavailable'],
  ])('%s', (message, kind) =>
    expect(appendFailure(server, 'a-1', 17_000_000, raw(8, message))).toMatchObject({ kind }),
  )
  it('what the server calls invalid is a failure of the caller, in its words', () =>
    expect(appendFailure(server, 'a-1', 1, raw(3, '3 INVALID_ARGUMENT: no such event'))).toEqual({
      kind: 'Refused',
      stream: 'a-1',
      reason: 'no such event',
    }))

  it.each([
    [16, 'all', 'name and the password'],
    [7, 'all', 'has to be in the group $admins, or in $r of the ACL of $all'],
    [7, 'stream', 'needs the right to all of them'],
  ] as const)('denied, code %d, about %s', (code, asked, says) => {
    expect(unavailable(server, raw(code, 'Access Denied'), asked)).toEqual({
      kind: 'Unavailable',
      reason: expect.stringContaining(says),
      denied: true,
    })
  })

  it('a bug stays a bug', () => {
    expect(() => unavailable(server, new TypeError('x is not a function'))).toThrow(TypeError)
  })
})
