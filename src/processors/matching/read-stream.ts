import { pipe } from 'fp-ts/lib/function.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'

/** Some events of a stream; none if it was deleted for good. Throws `UnavailableError`. */
export const readStream = (
  eventStore: Pick<EventStore, 'read'>,
  ...range: Parameters<EventStore['read']>
): Promise<readonly RecordedEvent[]> => pipe(eventStore.read(...range), ifDeleted([]), orThrow)
