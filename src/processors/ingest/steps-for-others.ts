import { orThrow } from '../../async/unavailable.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { claims } from '../../domain/ingest/policy-views.ts'
import { type JobTask, taskOf } from '../../domain/ingest/tasks.ts'
import { isWorkState, type WorkState } from '../../domain/ingest/transitions.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { claimed } from '../runtime/claim.ts'
import { jobTask } from './claims.ts'
import { firstWaiting } from './first-waiting.ts'
import { holdsOn } from './holds.ts'
import { claimJob, type JobClaimDependencies, jobsIn } from './job-claims.ts'

/** A step held by a worker that is not ours, and its deadline. */
export interface HeldStep {
  readonly task: JobTask
  readonly deadline: string
}

/** Most jobs tried: others may claim the first ones at the same moment. */
const maxTried = 50

/** The first job that waits in this state, claimed for the holder that `deps` name (I17); undefined if none waits. */
export const takeStep = async (
  state: WorkState,
  deps: JobClaimDependencies,
): Promise<HeldStep | undefined> => {
  const rows = firstWaiting(jobsIn(deps.viewStore, state), await deps.sites?.(), deps.clock.now(), maxTried)
  const holds = await holdsOn(deps.states, rows)
  for (const { job, collection } of rows) {
    const offered = await claimJob(job, state, holds.get(collection) ?? {}, deps)
    if (typeof offered === 'object') return offered
  }
  return undefined
}

/** The step that the holder has already: the job as it stands now, with a later deadline; undefined if it has none. */
export const keepStep = async (deps: JobClaimDependencies): Promise<HeldStep | undefined> => {
  const { viewStore, states, clock, worker } = deps
  const held = rowsIfFolded(viewStore, claims, { where: [is('kind', 'job'), is('holder', worker)] })
  for (const { id } of held) {
    const where = jobTask(Number(id), deps)
    const { state: known } = await orThrow(() => states.load(jobDecider, where.stream))
    const lease = known?.claims.lease
    if (!known || !isWorkState(known.state) || lease?.holder !== worker || !isActive(lease, clock.now()))
      continue
    const task = taskOf(known, known.state, lease)
    const deadline = await claimed(deps, where, { lease }, { task, reportFailure: async () => {} }).extend()
    if (deadline !== undefined) return { task, deadline }
  }
  return undefined
}
