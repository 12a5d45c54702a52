import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventFilter, EventStore } from '../../ports/event-store.ts'

const pageSize = 1000

/**
 * Hands on what the log has behind a position, as far as it goes now, to where the position is kept, too. Throws
 * `UnavailableError`.
 */
export const followLog = async (
  eventStore: Pick<EventStore, 'head' | 'readAll'>,
  filter: EventFilter,
  known: bigint,
  keep: (position: bigint, events: readonly RecordedEvent[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> => {
  const head = await orThrow(eventStore.head(), 'the end of the log')
  // The log was put back from an older copy: all of it is read again.
  let after = known > head ? -1n : known
  while (!signal?.aborted) {
    const { events, position, caughtUp } = await orThrow(eventStore.readAll(after, filter, pageSize))
    if (events.length > 0 || (caughtUp && position !== known)) await keep(position, events)
    if (caughtUp) return
    after = position
  }
}
