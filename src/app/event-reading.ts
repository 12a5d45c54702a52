import { setImmediate } from 'node:timers/promises'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { maxScanned } from '../domain/kernel/event.ts'
import type { EventStore, ReadFailure } from '../ports/event-store.ts'
import type { Elsewhere } from '../workflows/workflow-model.ts'
import { readElsewhere, readElsewhereBefore } from './events-elsewhere.ts'

const pageSize = 1000

/** Events found in a stream, or in several in the order of the log. */
export interface Found {
  readonly events: readonly RecordedEvent[]
  /** The search came up to this position; undefined: to the end. */
  readonly through: bigint | undefined
}

/** A page of an answer: at most `limit` events, and the position to go on from. */
export const pageOf = ({ events, through }: Found, from: bigint, limit: number) => {
  const shown = events.slice(0, limit)
  const more = events.length > limit || through !== undefined
  const last = events.length > limit ? shown.at(-1)?.position : (through ?? shown.at(-1)?.position)
  return { events: shown, next: (last ?? from - 1n) + 1n, more }
}

/** The wanted events of a stream from a position on: `limit` or more, but no more than `maxScanned` events are read. */
export const streamEvents = async (
  eventStore: EventStore,
  stream: string,
  position: bigint,
  limit: number,
  isWanted: (event: RecordedEvent) => boolean = () => true,
): Promise<Either<ReadFailure, Found>> => {
  const start = await revisionAt(eventStore, stream, position)
  if (isLeft(start)) return start
  const events: RecordedEvent[] = []
  for (let from = start.right, scanned = 0; ; ) {
    const page = await eventStore.read(stream, from, 'forward', pageSize)()
    if (isLeft(page)) return page
    events.push(...page.right.filter(isWanted))
    scanned += page.right.length
    const last = page.right.at(-1)
    if (!last || page.right.length < pageSize) return right({ events, through: undefined })
    if (events.length >= limit || scanned >= maxScanned) return right({ events, through: last.position })
    from = last.revision + 1n
    await setImmediate()
  }
}

/** The first revision at or behind a position. Positions grow with revisions, so halving finds it. */
export const revisionAt = async (
  eventStore: EventStore,
  stream: string,
  position: bigint,
): Promise<Either<ReadFailure, bigint>> => {
  if (position <= 0n) return right(0n)
  const newest = await eventStore.read(stream, 'end', 'backward', 1)()
  if (isLeft(newest)) return newest
  let low = 0n
  let high = (newest.right[0]?.revision ?? -1n) + 1n
  while (low < high) {
    const middle = (low + high) / 2n
    const read = await eventStore.read(stream, middle, 'forward', 1)()
    if (isLeft(read)) return read
    const [event] = read.right
    if (event && event.position < position) low = event.revision + 1n
    else high = middle
  }
  return right(low)
}

/** Events of several streams, and those elsewhere, from a position on, in the order of the log: `limit` or more of all together. */
export const historyOf = async (
  eventStore: EventStore,
  streams: readonly string[],
  from: bigint,
  limit: number,
  elsewhere: readonly Elsewhere[] = [],
): Promise<Either<ReadFailure, Found>> => {
  const all: RecordedEvent[] = []
  let through: bigint | undefined
  for (const stream of streams) {
    const found = await streamEvents(eventStore, stream, from, limit)
    if (isLeft(found)) return found
    all.push(...found.right.events)
    const end = found.right.through
    if (end !== undefined && (through === undefined || end < through)) through = end
  }
  for (const place of elsewhere) {
    // One more than was asked for: there may be others behind it.
    const positions = place.positions(from, limit + 1)
    const end = positions.length > limit ? positions.at(-1) : undefined
    if (end !== undefined && (through === undefined || end < through)) through = end
  }
  const others = await readElsewhere(eventStore, elsewhere, from, limit + 1)
  if (isLeft(others)) return others
  const events = [...all, ...others.right]
    .filter(({ position }) => through === undefined || position <= through)
    .sort((a, b) => (a.position < b.position ? -1 : 1))
  return right({ events, through })
}

/** The newest first, and before which position there are more; undefined: there are none. */
export interface FoundBefore {
  readonly events: readonly RecordedEvent[]
  readonly before: bigint | undefined
}

/** The same from before a position on: at most `limit`. */
export const historyBefore = async (
  eventStore: EventStore,
  streams: readonly string[],
  before: bigint | 'end',
  limit: number,
  elsewhere: readonly Elsewhere[] = [],
): Promise<Either<ReadFailure, FoundBefore>> => {
  const all: RecordedEvent[] = []
  for (const stream of streams) {
    const start = before === 'end' ? right(undefined) : await revisionAt(eventStore, stream, before)
    if (isLeft(start)) return start
    if (start.right === 0n) continue
    const from = start.right === undefined ? 'end' : start.right - 1n
    const read = await eventStore.read(stream, from, 'backward', limit + 1)()
    if (isLeft(read)) return read
    all.push(...read.right)
  }
  const others = await readElsewhereBefore(eventStore, elsewhere, before, limit + 1)
  if (isLeft(others)) return others
  const events = [...all, ...others.right].sort((a, b) => (a.position > b.position ? -1 : 1))
  const shown = events.slice(0, limit)
  return right({ events: shown, before: events.length > limit ? shown.at(-1)?.position : undefined })
}
