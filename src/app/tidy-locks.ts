import { UnavailableError } from '../async/unavailable.ts'
import { reactionsLease } from '../domain/kernel/leader-lease.ts'
import { leaderLeaseOf } from '../processors/runtime/leader-lease-of.ts'
import { shownNodes } from './presence.ts'
import { relayLease } from './relay-source.ts'
import type { System } from './system.ts'

/** Removes the lock files of killed processes that no leader lease, no node's presence and no work in hand names. */
export const tidyLocks = async (system: System): Promise<void> => {
  try {
    const states = await Promise.all([reactionsLease, relayLease].map((name) => leaderLeaseOf(system, name)))
    const nodes = await shownNodes(system)
    const named = [...states.map(({ lease }) => lease), ...nodes].flatMap((one) => one?.lock ?? [])
    system.processLock.tidy([...named, ...system.workInProgress.locks()])
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    system.log.debug(
      { err: error },
      'cannot remove the lock files of ended processes; retrying at the next start',
    )
  }
}
