import { plural } from '../domain/kernel/amounts.ts'
import type { Cause } from '../workflows/cause.ts'
import { groupPositions } from './lags.ts'
import { refusedQuestions } from './question-deaths.ts'
import type { System } from './system.ts'

/** All that people must do, by the views of this process and by the groups. Throws `UnavailableError`. */
export const causesOf = async (system: System): Promise<readonly Cause[]> => {
  const causes: Cause[] = []
  for (const { attention } of system.workflows) causes.push(...((await attention?.(system)) ?? []))
  return [...causes, ...refusedQuestions(system), ...(await stoppedGroups(system))]
}

/** Messages wait, and no process takes them. */
const stoppedGroups = async (system: System): Promise<readonly Cause[]> => {
  const groups = Map.groupBy(await groupPositions(system), ({ group }) => group)
  return [...groups].flatMap(([group, places]) => {
    const lag = places.reduce((sum, { committed, end }) => sum + end - committed, 0n)
    return lag > 0n && places.every(({ members }) => members === 0)
      ? [
          {
            key: `stopped/${group}`,
            says: `${plural(lag, 'message')} wait for ${group}, and no process takes them`,
            todo: '`fonds start` runs processors; where it does, its log says why this group stands still',
            weight: 1,
          },
        ]
      : []
  })
}
