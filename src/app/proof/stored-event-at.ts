import { orThrow } from '../../async/unavailable.ts'
import type { StoredEvent } from '../../domain/kernel/stored-event.ts'
import type { EventStore } from '../../ports/event-store.ts'

/** The event at a position, as it is stored; undefined if there is none. Throws `UnavailableError`. */
export const storedEventAt = async (
  eventStore: Pick<EventStore, 'readStored'>,
  position: bigint,
): Promise<StoredEvent | undefined> => {
  const { events } = await orThrow(eventStore.readStored(position - 1n, {}, 1))
  return events[0]?.position === position ? events[0] : undefined
}
