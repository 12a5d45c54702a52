import { isDeepStrictEqual } from 'node:util'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../ports/event-store.ts'
import { type Contents, pageSize } from './contents.ts'

/** The equal part of two logs: positions of the last equal events, and their number. */
export interface Cursor {
  readonly source: bigint
  readonly target: bigint
  readonly events: number
}

/** Positions of the same event at the source and at the target. */
export interface Pair {
  readonly source: bigint
  readonly target: bigint
}

/** The first two events that differ, at the source and at the target; undefined where that log has none. */
export interface Difference {
  readonly here: RecordedEvent | undefined
  readonly there: RecordedEvent | undefined
}

/**
 * Reads two logs side by side, from behind `from`. The target may end before the source does, but may hold nothing else
 * in the source's categories. Calls `onPair` with the end of each page that is equal.
 */
export const compareLogs = async (
  source: EventStore,
  target: EventStore,
  { categories, end, leaves }: Contents,
  from: Cursor,
  signal: AbortSignal,
  onEqual: (events: number) => void,
  onPair: (pair: Pair) => void,
): Promise<Either<Difference, Cursor>> => {
  const copied = (event: RecordedEvent) => !leaves(event.stream)
  const here = pages(source, from.source, {}, (event) => copied(event) && event.position <= end)
  let cursor = from
  let reported = from.events
  let waiting: readonly RecordedEvent[] = []
  let next = 0
  for await (const page of pages(target, from.target, { categories }, copied)) {
    signal.throwIfAborted()
    for (const there of page) {
      while (next === waiting.length) {
        const more = await here.next()
        if (more.done) return left({ here: undefined, there })
        waiting = more.value
        next = 0
      }
      const event = waiting[next++]!
      if (!same(event, there)) return left({ here: event, there })
      cursor = { source: event.position, target: there.position, events: cursor.events + 1 }
    }
    if (cursor.events > reported) onPair(cursor)
    onEqual(cursor.events - reported)
    reported = cursor.events
  }
  return right(cursor)
}

/** Returns the wanted events of a log, a page at a time. */
export async function* pages(
  store: EventStore,
  after: bigint,
  filter: EventFilter,
  wanted: (event: RecordedEvent) => boolean,
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let position = after; ; ) {
    const page = await orThrow(store.readAll(position, filter, pageSize))
    yield page.events.filter(wanted)
    if (page.caughtUp) return
    position = page.position
  }
}

const same = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.id === other.id &&
  one.type === other.type &&
  one.recordedAt === other.recordedAt &&
  isDeepStrictEqual(one.data, other.data) &&
  isDeepStrictEqual(one.metadata, other.metadata)
