import { orThrow } from '../../async/unavailable.ts'
import { unclaimed } from '../../domain/ingest/claim.ts'
import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { jobStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import { type JobTask, taskOf } from '../../domain/ingest/tasks.ts'
import { type WorkState, workStates } from '../../domain/ingest/transitions.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { claim, claimed, type Offered } from '../runtime/claim.ts'
import { lastSeen } from '../runtime/stream-states.ts'
import {
  type ClaimDependencies,
  deferMillis,
  isSuspect,
  isTriedAgain,
  jobTask,
  stepQueue,
  stepTerms,
} from './claims.ts'
import type { StepView } from './first-waiting.ts'

export type JobClaimDependencies = ClaimDependencies<JobTask>
export type JobRow = RowOf<typeof jobs>

/** A queue for each state in which there is something to do: the lower priority number first, then the older job. */
export const jobQueues = (deps: JobClaimDependencies): Readonly<Record<WorkState, TaskQueue<JobTask>>> => {
  const queues = workStates.map((state) => [state, jobQueue(state, deps)])
  return Object.fromEntries(queues) as Record<WorkState, TaskQueue<JobTask>>
}

/** The name of the row as it stands, and the work. */
export const jobNames = {
  nameOf: ({ job, fence, lastModified }: JobRow) => `${job}/${fence ?? 0}/${lastModified}`,
  workOf: ({ job }: JobRow) => `job/${job}`,
}

const jobQueue = (state: WorkState, deps: JobClaimDependencies): TaskQueue<JobTask> =>
  stepQueue(deps, {
    ...jobNames,
    name: state,
    view: jobsIn(deps.viewStore, state),
    claim: (row, holds) => claimWithCare(row, deps, () => claimJob(row.job, state, holds, deps)),
  })

/** Claims the job of a row; alone if the next death would set it aside. */
export const claimWithCare = (
  row: JobRow,
  deps: JobClaimDependencies,
  claim: () => Promise<Offered<JobTask>>,
): Promise<Offered<JobTask>> => {
  const { suspects, states } = deps
  if (!suspects) return claim()
  const standing = async () => {
    const { state } = await orThrow(() => states.load(jobDecider, jobStream(row.job)))
    const claims = state?.claims ?? unclaimed
    return { lease: claims.lease, isSuspect: isSuspect(claims, deps) }
  }
  const isSuspectNow = (task: JobTask) => isSuspect(task, deps)
  return suspects.claim({ isSuspect: isSuspect(row, deps), standing, isSuspectNow }, claim)
}

/** Jobs in a state. */
export const jobsIn = (viewStore: Pick<ViewStore, 'query'>, state: WorkState): StepView<JobRow> => ({
  read: (due, limit, ordered) =>
    rowsIfFolded(viewStore, jobs, {
      where: [is('state', state), ...due],
      ...(ordered && { orderBy: [{ column: 'available' }, { column: 'order' }] }),
      limit,
    }),
  compare: (one, other) => (one.order < other.order ? -1 : 1),
})

/** `lost`: another one holds the job, or it has moved on, as its row will show. */
export const claimJob = async (
  job: number,
  state: WorkState,
  holds: Holds,
  deps: JobClaimDependencies,
): Promise<Offered<JobTask>> => {
  const { states, reportFailure } = deps
  const where = jobTask(job, deps)
  const granted = await claim(
    deps,
    where,
    { type: 'ClaimJob', state, holds, ...stepTerms(deps) },
    isTriedAgain,
  )
  if (typeof granted === 'string') return granted
  // The claim left it in memory.
  const { state: known } = await lastSeen(states, jobDecider, where.stream)
  if (!known) return 'lost'
  const task = taskOf(known, state, granted.lease)
  return claimed(deps, where, granted, { task, reportFailure, deferMillis })
}
