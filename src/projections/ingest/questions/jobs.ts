import type { JobState } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { type ConditionOn, is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import type { JobLine } from './answers.ts'
import { batchReader, isBlocked, secondsSince, sizeOfJob } from './reading.ts'

interface JobScope {
  readonly state?: JobState
  readonly collection?: string
  /** The public id. */
  readonly batch?: string
  readonly limit: number
}

/** The older first; of one state alone in the order of its queue. */
export const jobLines = (views: Views, now: string, { limit, ...columns }: JobScope): readonly JobLine[] => {
  const where = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => is(column, value)) as ConditionOn<typeof jobs>[]
  const batchOf = batchReader(views)
  return rows(views, jobs, { where, orderBy: orderBy(columns), limit }).map((row) =>
    jobLine(row, batchOf(row.batch), now),
  )
}

/** As an index has them. */
const orderBy = ({ state, collection, batch }: Omit<JobScope, 'limit'>) => {
  if (collection === undefined && batch === undefined && state !== undefined)
    return [{ column: 'available' }, { column: 'order' }] as const
  return [{ column: 'job' }] as const
}

export const jobLine = (row: JobRow, batch: BatchRow | undefined, now: string): JobLine => {
  const { job, batchNumber, state, priority, collection, title, ark, localIds, holder, message } = row
  return {
    job,
    batch: row.batch,
    batchNumber,
    state,
    priority,
    collection,
    bytes: sizeOfJob(row),
    ageSeconds: secondsSince(row.createdAt, now),
    title,
    ark,
    localIds,
    holder,
    blocksReport: state === 'held' && batch !== undefined && isBlocked(batch),
    message,
  }
}
