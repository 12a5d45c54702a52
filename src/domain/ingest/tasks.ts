import type { Lease } from '../kernel/lease.ts'
import type { Batch, DueMail } from './batch/state.ts'
import type { JobChanges, JobFacts } from './job/facts.ts'
import type { Job } from './job/state.ts'
import type { WorkState } from './transitions.ts'
import type { BatchTask } from './views.ts'

/* Tasks that a worker gets with a claim, with the state known when it was granted. */

/** A job in the state in which it was claimed. */
export interface JobTask {
  readonly job: number
  readonly fence: number
  readonly state: WorkState
  readonly facts: JobFacts
  /** Results of earlier steps. */
  readonly found: JobChanges
  readonly priority: number
  /** Number of resumes by a person. */
  readonly retries: number
  /** Number of holders in a row that died in this step. */
  readonly deaths: number
}

/** The task of the current claim, in the state that the job is in. */
export const taskOf = (
  { facts, found, priority, retries, claims: { deaths = 0 } }: Job,
  state: WorkState,
  { fence }: Pick<Lease, 'fence'>,
): JobTask => ({ job: facts.job, fence, state, facts, found, priority, retries, deaths })

/** A task of a batch. */
export interface BatchWork {
  /** The public id. */
  readonly id: string
  readonly fence: number
  readonly task: BatchTask
  readonly batch: Batch
  /** The mail to send, if that is the task. */
  readonly mail?: DueMail | undefined
}
