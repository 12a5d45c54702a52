import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventStore, ReadFailure } from '../ports/event-store.ts'
import { away } from './http/errors.ts'
import { refuse } from './http/refuse.ts'
import type { Handled } from './http/route.ts'

const pageSize = 1000

/** The first `limit` events of a stream that are wanted. */
export const streamEvents = async (
  eventStore: EventStore,
  stream: string,
  limit: number,
  wanted: (event: RecordedEvent) => boolean,
): Promise<Either<ReadFailure, readonly RecordedEvent[]>> => {
  const found: RecordedEvent[] = []
  let from: bigint | 'start' = 'start'
  for (;;) {
    const page: Either<ReadFailure, readonly RecordedEvent[]> = await eventStore.read(
      stream,
      from,
      'forward',
      pageSize,
    )()
    if (isLeft(page)) return page
    found.push(...page.right.filter(wanted))
    const last = page.right.at(-1)
    if (!last || page.right.length < pageSize || found.length >= limit) return right(found.slice(0, limit))
    from = last.revision + 1n
  }
}

/** The first `limit` events of all the streams together, from a position on, in the order of the log. */
export const historyOf = async (
  eventStore: EventStore,
  streams: readonly string[],
  from: bigint,
  limit: number,
): Promise<Either<ReadFailure, readonly RecordedEvent[]>> => {
  const all: RecordedEvent[] = []
  for (const stream of streams) {
    const found = await streamEvents(eventStore, stream, limit, ({ position }) => position >= from)
    if (isLeft(found)) return found
    all.push(...found.right)
  }
  return right(all.sort((a, b) => (a.position < b.position ? -1 : 1)).slice(0, limit))
}

export const readFailed = (failure: ReadFailure): Handled =>
  failure.kind === 'StreamDeleted'
    ? refuse(410, 'stream-deleted', `${failure.stream} was deleted for good`)
    : left(away(failure.reason))
