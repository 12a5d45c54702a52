import { batches, jobs } from '../../../domain/ingest/views.ts'
import { tally } from '../../../domain/kernel/read-views.ts'
import { addMillis, MINUTE } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import type { WorkRoom } from './work-room.ts'

/* Input and findings of the audit's rules. */

export interface Found {
  readonly subject: string
  readonly says: string
  readonly since: string
}

/** Input that several rules share, computed once. */
interface Audited {
  readonly views: Views
  readonly now: string
  readonly batchCounts: readonly BatchCounts[]
  readonly jobCounts: readonly JobCounts[]
  /** Undefined if the process that answers has no access to it, and for the past. */
  readonly room: WorkRoom | undefined
}

export type Rule = (audited: Audited) => readonly Found[]

type BatchCounts = ReturnType<typeof countBatches>[number]
type JobCounts = ReturnType<typeof countJobs>[number]

/** Without the submission, which is long. */
export const countBatches = (views: Views) =>
  tally(views, batches, {
    by: ['batch', 'number', 'lastModified', 'jobs', 'open', 'held', 'completed', 'failed', 'deleted'],
  })

export const countJobs = (views: Views) => tally(views, jobs, { by: ['batch', 'batchNumber', 'state'] })

/** Most findings of a rule, so that a fold that is wrong throughout is not listed whole. */
export const maxFoundByRule = 100

/** Longest time that a consequence of an event may take. */
const allowed = 2 * MINUTE

export const before = <const Column extends string>(column: Column, now: string) =>
  ({ column, is: '<', value: addMillis(now, -allowed) }) as const

export const ofBatch = (
  { number, batch, lastModified }: Pick<BatchRow, 'number' | 'batch' | 'lastModified'>,
  sentence: string,
): Found => ({
  subject: `batch ${number ?? batch}`,
  says: sentence,
  since: lastModified,
})

export const ofJob = ({ job, lastModified }: JobRow, sentence: string): Found => ({
  subject: `job ${job}`,
  says: sentence,
  since: lastModified,
})
