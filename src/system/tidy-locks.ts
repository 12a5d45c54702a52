import { Away } from '../ports/away.ts'
import { reactionsDuty, relayDuty } from './duties.ts'
import { dutyOf } from './lags.ts'
import type { System } from './system.ts'

/** Lock files that processes left when they were killed go once no lease names them. */
export const tidyLocks = async (system: System): Promise<void> => {
  try {
    const states = await Promise.all([reactionsDuty, relayDuty].map((duty) => dutyOf(system, duty)))
    system.processLock.tidy(states.flatMap(({ lease }) => lease?.lock ?? []))
  } catch (error) {
    if (!(error instanceof Away)) throw error
    system.log.debug({ err: error }, 'lock files that were left are looked for at the next start')
  }
}
