import { isLeft } from 'fp-ts/lib/Either.js'
import { type EventPlace, isAt } from '../../domain/kernel/event-place.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'

type Log = Pick<EventStore, 'read' | 'readBack'>

/**
 * Is the event still where it stood? Not so in a log that was put back from an older copy and went on otherwise. Where its
 * stream was deleted or cut, the whole log may still have it. Throws `Away`.
 */
export const holds = async (eventStore: Log, place: EventPlace): Promise<boolean> => {
  const read = await eventStore.read(place.stream, BigInt(place.revision), 'forward', 1)()
  if (isLeft(read) && read.left.kind === 'Unavailable') throw new Away(read.left.reason)
  const [event] = isLeft(read) ? [] : read.right
  if (event && `${event.revision}` === place.revision) return isAt(event, place)
  const before = await eventStore.readBack(BigInt(place.position) + 1n, 1)()
  if (isLeft(before)) throw new Away(before.left.reason)
  return before.right.some((one) => isAt(one, place))
}

/**
 * The furthest of these events that the log holds: up to there it is the log in which they were seen, and nobody knows what
 * came behind. Undefined where it holds none. Throws `Away`.
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
