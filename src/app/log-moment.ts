import { setImmediate } from 'node:timers/promises'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { isLeaderEvent } from '../domain/kernel/leader-lease.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'
import type { Point } from '../ports/view-store.ts'
import { behindWhich } from '../projections/kernel/questions/log-times.ts'
import { canonical } from '../projections/runtime/as-of.ts'
import type { System } from './system.ts'

type Log = Pick<System, 'eventStore' | 'viewStore'>

const pageSize = 500

/** The last position at or before a point. A time is looked for in the index of the log: of one second events are read, and of what the index lacks. */
export const positionUpTo = async (
  { eventStore, viewStore }: Log,
  given: Point,
): Promise<Either<Unavailable, bigint>> => {
  const point = canonical(given)
  if ('position' in point) return right(point.position)
  let position = behindWhich(viewStore, point.time)
  for (;;) {
    const page = await eventStore.readAll(position, {}, pageSize)()
    if (isLeft(page)) return page
    const later = page.right.events.findIndex(({ recordedAt }) => recordedAt > point.time)
    if (later === 0) return right(position)
    if (later > 0) return right(page.right.events[later - 1]!.position)
    position = page.right.position
    if (page.right.caughtUp) return right(position)
    await setImmediate()
  }
}

/** Where a point stands among the events of the log; those that only tell which process has a duty do not count. */
export interface LogMoment {
  /** The last one at or before it. */
  readonly event: RecordedEvent | undefined
  /** Its neighbours. */
  readonly before: RecordedEvent | undefined
  readonly after: RecordedEvent | undefined
}

export const logMoment = async (log: Log, point: Point): Promise<Either<Unavailable, LogMoment>> => {
  const upTo = await positionUpTo(log, point)
  if (isLeft(upTo)) return upTo
  const older = await lastBefore(log.eventStore, upTo.right + 1n, 2)
  if (isLeft(older)) return older
  const after = await firstBehind(log.eventStore, upTo.right)
  if (isLeft(after)) return after
  const [event, before] = older.right
  return right({ event, before, after: after.right })
}

/** The first and the last event. */
export const logEnds = async ({
  eventStore,
}: Pick<Log, 'eventStore'>): Promise<
  Either<Unavailable, { readonly first: RecordedEvent; readonly last: RecordedEvent } | undefined>
> => {
  const first = await firstBehind(eventStore, -1n)
  if (isLeft(first) || !first.right) return first as Either<Unavailable, undefined>
  const newest = await lastBefore(eventStore, 'end', 1)
  if (isLeft(newest)) return newest
  return right({ first: first.right, last: newest.right[0] ?? first.right })
}

/** Mostly the very next ones: a few are read first. */
const fewEvents = 16

const lastBefore = async (
  { readBack }: Pick<EventStore, 'readBack'>,
  before: bigint | 'end',
  count: number,
): Promise<Either<Unavailable, readonly RecordedEvent[]>> => {
  const events: RecordedEvent[] = []
  for (let from = before, size = fewEvents; ; size = pageSize) {
    const page = await readBack(from, size)()
    if (isLeft(page)) return page
    events.push(...page.right.filter((event) => !isLeaderEvent(event)))
    const last = page.right.at(-1)
    if (!last || page.right.length < size || events.length >= count) return right(events.slice(0, count))
    from = last.position
    await setImmediate()
  }
}

const firstBehind = async (
  { readAll }: Pick<EventStore, 'readAll'>,
  after: bigint,
): Promise<Either<Unavailable, RecordedEvent | undefined>> => {
  for (let position = after, size = fewEvents; ; size = pageSize) {
    const page = await readAll(position, {}, size)()
    if (isLeft(page)) return page
    const found = page.right.events.find((event) => !isLeaderEvent(event))
    if (found || page.right.caughtUp) return right(found)
    position = page.right.position
    await setImmediate()
  }
}
