import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { furthestHeld, positionOf } from './same-log.ts'

/**
 * As much of what the last event of a leader lease tells as is true of the log, which may have been put back from an older copy: a part
 * that came further than all events that are still there goes back to the last of them. It then does again what it did.
 * `toldAt`: position of that event. Throws `UnavailableError`.
 */
export const checkpointsHeld = async (
  eventStore: Pick<EventStore, 'read' | 'readBack'>,
  { positions, events = {} }: Checkpoints,
  toldAt: bigint,
): Promise<Checkpoints> => {
  const held = await furthestHeld(
    eventStore,
    Object.values(events).filter((event) => event !== null),
  )
  const heldAt = positionOf(held)
  // Where an older program told no event, what it told of must at least come before the telling.
  const isTrue = (name: string, position: bigint) =>
    position <= heldAt || (events[name] === undefined && position < toldAt)
  const isHeld = (position = '-1') => BigInt(position) <= heldAt
  return {
    positions: Object.fromEntries(
      Object.entries(positions).map(([name, text]) => [
        name,
        isTrue(name, BigInt(text)) ? text : `${heldAt}`,
      ]),
    ),
    events: Object.fromEntries(Object.entries(events).filter(([, event]) => isHeld(event?.position))),
  }
}
