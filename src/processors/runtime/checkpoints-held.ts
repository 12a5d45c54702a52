import { furthestHeld, positionOf } from '../../async/same-log.ts'
import type { Checkpoints } from '../../domain/kernel/leader-lease.ts'
import type { EventStore } from '../../ports/event-store.ts'

/**
 * Returns the checkpoints in the last event of a leader lease, as far as the log holds them: it may have been restored
 * from an older copy. A part whose checkpoint is beyond all known events that are still there goes back to the last of
 * them, and does its work again from there. `writtenAt`: position of that lease event. Throws `UnavailableError`.
 */
export const checkpointsHeld = async (
  eventStore: Pick<EventStore, 'read' | 'readBack'>,
  { positions, events = {} }: Checkpoints,
  writtenAt: bigint,
): Promise<Checkpoints> => {
  const held = await furthestHeld(
    eventStore,
    Object.values(events).filter((event) => event !== null),
  )
  const heldAt = positionOf(held)
  // An older program wrote positions without events: such a position must at least precede the event that has it.
  const isTrue = (name: string, position: bigint) =>
    position <= heldAt || (events[name] === undefined && position < writtenAt)
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
