import { orThrow } from '../../async/unavailable.ts'
import {
  type LeaderLeaseState,
  leaderEvents,
  leaderLeases,
  leaderStream,
  stateOf,
} from '../../domain/kernel/leader-lease.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { readOrStop } from './read-or-stop.ts'

/** Reads a leader lease from its latest event. Throws `UnavailableError`. */
export const leaderLeaseOf = async (
  { eventStore }: { readonly eventStore: Pick<EventStore, 'read'> },
  name: string,
): Promise<LeaderLeaseState> => {
  const [last] = await orThrow(eventStore.read(leaderStream(name), 'end', 'backward', 1))
  return last ? stateOf(readOrStop(leaderEvents, last)) : leaderLeases.initial
}
