import { batches, holds, jobs } from '../../../domain/ingest/views.ts'
import { is, row, rows } from '../../../domain/kernel/read-views.ts'
import { millisBetween, SECOND } from '../../../domain/kernel/time.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow, HoldRow, JobRow } from '../tables.ts'

/* Rows that several questions about ingest read. */

/** The batch, by its number or its public id. */
export const batchNamed = (views: Views, name: string): BatchRow | undefined =>
  /^\d{1,15}$/.test(name)
    ? row(views, batches, is('number', Number(name)))
    : row(views, batches, is('batch', name.toLowerCase()))

export const jobRow = (views: Views, job: number): JobRow | undefined => row(views, jobs, is('job', job))

export const holdOfAll = (views: Views): HoldRow | undefined => row(views, holds, is('scope', 'all'))

export const holdOfCollection = (views: Views, collection: string): HoldRow | undefined =>
  row(views, holds, is('scope', `collection:${collection}`))

/** A reader that reads each batch once. */
export const batchReader = (views: Views): ((batch: string) => BatchRow | undefined) => {
  const known = new Map<string, BatchRow | undefined>()
  return (batch) => {
    if (!known.has(batch)) known.set(batch, row(views, batches, is('batch', batch)))
    return known.get(batch)
  }
}

/** True if its report waits for held jobs and for nothing else (C14). */
export const isBlocked = ({ state, open, held }: BatchRow): boolean =>
  state === 'processing' && held > 0 && open === held

const maxBlockers = 10

/** The first held jobs of a batch that waits for nothing but them. */
export const blockersOf = (views: Views, batch: BatchRow): readonly number[] =>
  isBlocked(batch)
    ? rows(views, jobs, {
        where: [is('batch', batch.batch), is('state', 'held')],
        orderBy: [{ column: 'job' }],
        limit: maxBlockers,
      }).map(({ job }) => job)
    : []

/** Bytes that a job needs; null if unknown. */
export const sizeOfJob = ({ spaceNeeded, sizeKnown }: JobRow): number | null =>
  sizeKnown === 1 ? spaceNeeded : null

export const secondsSince = (since: string, now: string): number =>
  Math.max(0, Math.floor(millisBetween(since, now) / SECOND))
