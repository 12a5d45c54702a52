import { newestFact } from '../app/newest-fact.ts'
import { UnavailableError } from '../async/unavailable.ts'
import type { EventStore } from '../ports/event-store.ts'

type Log = Pick<EventStore, 'readBack'>

/**
 * Whether a view that moved from behind one position up to another may show anything new: false where only events of leader leases lie
 * between, which no view shows. True where the log is away.
 */
export const movedByFacts = async (log: Log, behind: bigint, upTo: bigint): Promise<boolean> => {
  try {
    return (await newestFact(log, behind, upTo + 1n)) !== undefined
  } catch (error) {
    if (error instanceof UnavailableError) return true
    throw error
  }
}
