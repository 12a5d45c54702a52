import { pipe } from 'fp-ts/lib/function.js'
import { type EventPlace, isAt, isEventOf } from '../domain/kernel/event-place.ts'
import type { EventStore } from '../ports/event-store.ts'
import { ifDeleted, orThrow } from './unavailable.ts'

type Log = Pick<EventStore, 'read' | 'readBack'>

/**
 * Returns true if the event is still at its place, which it is not in a log that was restored from an older copy and
 * has diverged. If its stream was deleted or truncated, the whole log may still have it. Throws `UnavailableError`.
 */
export const holds = async (eventStore: Log, place: EventPlace): Promise<boolean> =>
  (await positionNow(eventStore, place)) === BigInt(place.position)

/**
 * Returns the position of the event in the log; a log that was copied from another one may have it elsewhere. Throws
 * `UnavailableError`.
 */
export const positionNow = async (eventStore: Log, place: EventPlace): Promise<bigint | undefined> => {
  const read = eventStore.read(place.stream, BigInt(place.revision), 'forward', 1)
  const [event] = await pipe(read, ifDeleted([]), orThrow)
  if (event && `${event.revision}` === place.revision)
    return isEventOf(event, place) ? event.position : undefined
  const before = await orThrow(eventStore.readBack(BigInt(place.position) + 1n, 1))
  return before.find((one) => isAt(one, place))?.position
}

/**
 * Returns the furthest of these events that the log holds: up to there it is the log in which they were seen; later
 * events prove nothing. Undefined if it holds none. Throws `UnavailableError`.
 */
export const furthestHeld = async (
  eventStore: Log,
  places: Iterable<EventPlace>,
): Promise<EventPlace | undefined> => {
  const byPosition = new Map([...places].map((place) => [`${place.position} ${place.id}`, place]))
  const furthestFirst = [...byPosition.values()].sort((one, other) =>
    Number(BigInt(other.position) - BigInt(one.position)),
  )
  for (const place of furthestFirst) if (await holds(eventStore, place)) return place
  return undefined
}

export const positionOf = (place: EventPlace | undefined): bigint => BigInt(place?.position ?? -1)
