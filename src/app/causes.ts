import { plural } from '../domain/kernel/amounts.ts'
import { ViewQueryError } from '../domain/kernel/view.ts'
import type { Cause } from '../workflows/cause.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { groupPositions } from './lags.ts'
import { differenceCauses } from './proof/check/found-differences.ts'
import { refusedQuestions } from './question-deaths.ts'
import type { System } from './system.ts'

/** Returns all causes that need a person, from the views of this process and the groups. Throws `UnavailableError`. */
export const causesOf = async (system: System): Promise<readonly Cause[]> => {
  const causes: Cause[] = []
  for (const workflow of system.workflows) causes.push(...(await causesIn(workflow, system)))
  return [
    ...causes,
    ...refusedQuestions(system),
    ...(await stoppedGroups(system)),
    ...(await differenceCauses(system)),
  ]
}

/**
 * Returns the causes of a workflow. If its views are of an earlier program and not rebuilt yet, the failed query
 * is reported as a cause.
 */
const causesIn = async ({ name, attention }: Workflow, system: System): Promise<readonly Cause[]> => {
  try {
    return (await attention?.(system)) ?? []
  } catch (error) {
    if (!(error instanceof ViewQueryError)) throw error
    return [
      {
        key: `unknown/${name}`,
        says: `what waits for people in ${name} is not known: ${error.message}`,
        todo: '`fonds start` rebuilds views of an earlier version; it is known once that is done',
        weight: 1,
      },
    ]
  }
}

/** Messages wait, and no process handles them. */
const stoppedGroups = async (system: System): Promise<readonly Cause[]> => {
  const groups = Map.groupBy(await groupPositions(system), ({ group }) => group)
  return [...groups].flatMap(([group, places]) => {
    const lag = places.reduce((sum, { committed, end }) => sum + end - committed, 0n)
    return lag > 0n && places.every(({ members }) => members === 0)
      ? [
          {
            key: `stopped/${group}`,
            says: `${plural(lag, 'message')} wait for ${group}, and no process takes them`,
            todo: '`fonds start` runs processors; where it does, its log says why this group is stalled',
            weight: 1,
          },
        ]
      : []
  })
}
