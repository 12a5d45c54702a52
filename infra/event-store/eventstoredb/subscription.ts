import type { EventFilter } from '../../../src/ports/event-store.ts'
import type { Connection } from './connection.ts'
import { knownPosition } from './event-coding.ts'
import { serverFilter } from './filter.ts'
import { pull, type Source } from './pull.ts'
import { type Answer, decodeAnswer } from './wire/read-answer.ts'
import { readPath, subscriptionRequest } from './wire/read-request.ts'

/** Events that the server searches before it sends a checkpoint. */
const searchWindow = 4096

/** The events behind `after` that pass the server's part of the filter, then new ones; what the server says stands between. */
export const openSubscription = (
  { calls }: Pick<Connection, 'calls'>,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): Source<Answer> => {
  const from = after < 0n ? 'start' : knownPosition(after)
  const request = subscriptionRequest(from, serverFilter(filter), searchWindow)
  return pull(calls.read(readPath, request, decodeAnswer), signal)
}
