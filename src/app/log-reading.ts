import { setImmediate } from 'node:timers/promises'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { maxScanned, type RecordedEvent } from '../domain/kernel/event.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'

const pageSize = 1000

/** Newer events first. */
interface Backwards {
  readonly events: readonly RecordedEvent[]
  /** All before this position are still to be looked at; undefined: none are. */
  readonly before: bigint | undefined
}

/** The newest wanted events before a position, at most `limit`; no more than `maxScanned` are looked at. */
export const eventsBefore = async (
  { readBack }: Pick<EventStore, 'readBack'>,
  before: bigint | 'end',
  limit: number,
  isWanted: (event: RecordedEvent) => boolean,
): Promise<Either<Unavailable, Backwards>> => {
  const events: RecordedEvent[] = []
  let from = before
  for (let scanned = 0; scanned < maxScanned; ) {
    const page = await readBack(from, pageSize)()
    if (isLeft(page)) return page
    for (const event of page.right) {
      if (!isWanted(event)) continue
      events.push(event)
      if (events.length === limit) return right({ events, before: event.position })
    }
    const last = page.right.at(-1)
    if (!last || page.right.length < pageSize) return right({ events, before: undefined })
    from = last.position
    scanned += page.right.length
    await setImmediate()
  }
  return right({ events, before: from === 'end' ? undefined : from })
}

/** Events of one conversation around one of them, the oldest first. */
interface Related {
  readonly events: readonly RecordedEvent[]
  /** False: older ones, or newer ones, were not looked at. */
  readonly isFromStart: boolean
  readonly isToEnd: boolean
}

/**
 * The events that have the correlation id of this one: what led to it and what it led to are among them. They lie near each
 * other: `maxScanned` events on either side are looked at.
 */
export const relatedTo = async (
  eventStore: EventStore,
  event: RecordedEvent,
  limit: number,
): Promise<Either<Unavailable, Related>> => {
  const isRelated = ({ metadata }: RecordedEvent) => metadata.correlationId === event.metadata.correlationId
  const older = await eventsBefore(eventStore, event.position, limit, isRelated)
  if (isLeft(older)) return older
  const newer: RecordedEvent[] = []
  let after = event.position
  let isToEnd = false
  for (let scanned = 0; scanned < maxScanned && newer.length < limit && !isToEnd; ) {
    const page = await eventStore.readAll(after, {}, pageSize)()
    if (isLeft(page)) return page
    newer.push(...page.right.events.filter(isRelated).slice(0, limit - newer.length))
    scanned += page.right.events.length
    isToEnd = page.right.caughtUp && newer.length < limit
    after = page.right.position
    await setImmediate()
  }
  return right({
    events: [...older.right.events.toReversed(), event, ...newer],
    isFromStart: older.right.before === undefined,
    isToEnd,
  })
}
