import type { Batch, DueMail } from './batch/state.ts'
import type { JobChanges, JobFacts } from './job/facts.ts'
import type { WorkState } from './transitions.ts'
import type { BatchTask } from './views.ts'

/* What a worker gets with a claim: all that was known when it was granted. */

/** A job in the state in which it was claimed. */
export interface JobTask {
  readonly job: number
  readonly fence: number
  readonly state: WorkState
  readonly facts: JobFacts
  /** What earlier steps found out. */
  readonly found: JobChanges
  readonly priority: number
  /** Resumes by a person. */
  readonly retries: number
}

/** Something to do with a batch. */
export interface BatchWork {
  /** The public id. */
  readonly id: string
  readonly fence: number
  readonly task: BatchTask
  readonly batch: Batch
  /** Which mail is to be sent, when that is the task. */
  readonly mail?: DueMail | undefined
}
