import { isDeepStrictEqual } from 'node:util'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { ownMetadata } from '../../domain/kernel/proof/own-metadata.ts'
import { isSameBytes, type StoredEvent } from '../../domain/kernel/stored-event.ts'
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
  readonly here: StoredEvent | undefined
  readonly there: StoredEvent | undefined
}

/** The equal part, and how many of its events hold the same values in other bytes: an earlier version copied them so. */
interface Compared extends Cursor {
  readonly rewritten: number
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
): Promise<Either<Difference, Compared>> => {
  const copied = (event: StoredEvent) => !leaves(event.stream)
  const here = storedPages(source, from.source, {}, (event) => copied(event) && event.position <= end)
  let cursor = from
  let reported = from.events
  let waiting: readonly Placed[] = []
  let rewritten = 0
  let next = 0
  for await (const page of storedPages(target, from.target, { categories }, copied)) {
    signal.throwIfAborted()
    for (const there of page) {
      while (next === waiting.length) {
        const more = await here.next()
        if (more.done) return left({ here: undefined, there: there.event })
        waiting = more.value
        next = 0
      }
      const one = waiting[next++]!
      const difference = await differenceOf(one, there)
      if (difference === 'other') return left({ here: one.event, there: there.event })
      if (difference === 'rewritten') rewritten++
      cursor = {
        source: one.event.position,
        target: there.event.position,
        events: cursor.events + 1,
      }
    }
    if (cursor.events > reported) onPair(cursor)
    onEqual(cursor.events - reported)
    reported = cursor.events
  }
  return right({ ...cursor, rewritten })
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

/** An event, and how it is read again. */
interface Placed {
  readonly event: StoredEvent
  readonly decoded: () => Promise<RecordedEvent | undefined>
}

async function* storedPages(
  store: EventStore,
  after: bigint,
  filter: EventFilter,
  wanted: (event: StoredEvent) => boolean,
): AsyncGenerator<readonly Placed[]> {
  for (let position = after; ; ) {
    const page = await orThrow(store.readStored(position, filter, pageSize))
    const from = position
    yield page.events.flatMap((event, i) => {
      if (!wanted(event)) return []
      const before = page.events[i - 1]?.position ?? from
      const decoded = async () => (await orThrow(store.readAll(before, filter, 1))).events[0]
      return [{ event, decoded }]
    })
    if (page.caughtUp) return
    position = page.position
  }
}

/** Bytes are compared first. Earlier versions copied the values alone, which are then read on both sides. */
const differenceOf = async (one: Placed, other: Placed): Promise<'other' | 'rewritten' | undefined> => {
  if (!isSamePlace(one.event, other.event)) return 'other'
  const isSame =
    isSameBytes(one.event.data, other.event.data) &&
    isSameBytes(ownMetadata(one.event), ownMetadata(other.event))
  if (isSame) return undefined
  const [here, there] = await Promise.all([one.decoded(), other.decoded()])
  return here && there && isSameValue(here, there) ? 'rewritten' : 'other'
}

const isSamePlace = (one: StoredEvent, other: StoredEvent): boolean =>
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.id === other.id &&
  one.type === other.type &&
  one.recordedAt === other.recordedAt

const isSameValue = (one: RecordedEvent, other: RecordedEvent): boolean =>
  isDeepStrictEqual(one.data, other.data) && isDeepStrictEqual(one.metadata, other.metadata)
