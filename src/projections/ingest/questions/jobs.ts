import { messageOf } from '../../../domain/ingest/job/message.ts'
import type { JobState } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { areAll, countRows, pageOfRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, JobRow } from '../tables.ts'
import type { JobLine } from './answers.ts'
import { batchReader, isBlocked, secondsSince, sizeOfJob } from './reading.ts'

interface JobScope {
  readonly state?: JobState
  readonly collection?: string
  /** The public id. */
  readonly batch?: string
}

interface JobPage extends JobScope {
  readonly limit: number
  readonly offset: number
}

/** Jobs, the oldest first; those of one state alone in the order of its queue. */
export const jobLines = (
  views: Views,
  now: string,
  { limit, offset, ...scope }: JobPage,
): readonly JobLine[] => {
  const batchOf = batchReader(views)
  return pageOfRows(views, jobs, { ...placed(scope, offset, batchOf), orderBy: orderBy(scope), limit }).map(
    (row) => jobLine(row, batchOf(row.batch), now),
  )
}

export const countJobs = (views: Views, scope: JobScope): number =>
  countRows(views, jobs, ...conditions(scope))

const conditions = ({ state, collection, batch }: JobScope) => areAll({ state, collection, batch })

/** The numbers of a batch's jobs are consecutive: none is skipped, or sorted, if the batch alone is asked for. */
const placed = (scope: JobScope, offset: number, batchOf: ReturnType<typeof batchReader>) => {
  const { state, collection, batch } = scope
  const { firstJob, jobs } = (batch !== undefined && batchOf(batch)) || {}
  if (state !== undefined || collection !== undefined || typeof firstJob !== 'number' || !jobs)
    return { where: conditions(scope), offset }
  return {
    where: [
      { column: 'job', is: '>=', value: firstJob + offset },
      { column: 'job', is: '<', value: firstJob + jobs },
    ] as const,
    offset: 0,
  }
}

/** The order in which an index has them. */
const orderBy = ({ state, collection, batch }: JobScope) => {
  if (collection === undefined && batch === undefined && state !== undefined)
    return [{ column: 'available' }, { column: 'order' }] as const
  return [{ column: 'job' }] as const
}

export const jobLine = (row: JobRow, batch: BatchRow | undefined, now: string): JobLine => {
  const { job, batchNumber, state, priority, collection, title, ark, localIds, holder } = row
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
    message: messageOf(row),
  }
}
