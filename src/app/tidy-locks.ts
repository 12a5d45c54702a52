import { UnavailableError } from '../async/unavailable.ts'
import { reactionsLease } from '../domain/kernel/leader-lease.ts'
import { leaderLeaseOf } from '../processors/runtime/leader-lease-of.ts'
import { shownNodes } from './presence.ts'
import { relayLease } from './relay-source.ts'
import type { System } from './system.ts'

/** Removes the lock files of killed processes that neither a leader lease nor a node's presence names. */
export const tidyLocks = async (system: System): Promise<void> => {
  try {
    const states = await Promise.all([reactionsLease, relayLease].map((name) => leaderLeaseOf(system, name)))
    const nodes = await shownNodes(system)
    system.processLock.tidy([...states.map(({ lease }) => lease), ...nodes].flatMap((one) => one?.lock ?? []))
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    system.log.debug({ err: error }, 'lock files that were left are looked for at the next start')
  }
}
