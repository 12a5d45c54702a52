import type { BatchState } from '../../../domain/ingest/transitions.ts'
import { batches } from '../../../domain/ingest/views.ts'
import { areAll, countRows, pageOfRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { BatchRow } from '../tables.ts'
import type { BatchLine } from './answers.ts'
import { secondsSince } from './reading.ts'

interface BatchScope {
  readonly state?: BatchState
  readonly collection?: string
  readonly submitter?: string
}

interface BatchPage extends BatchScope {
  readonly limit: number
  readonly offset: number
}

/** Batches, the latest first. */
export const batchLines = (
  views: Views,
  now: string,
  { limit, offset, ...scope }: BatchPage,
): readonly BatchLine[] => {
  const orderBy = [{ column: 'number', descending: true }] as const
  return pageOfRows(views, batches, { where: conditions(scope), orderBy, limit, offset }).map((row) =>
    batchLine(row, now),
  )
}

export const countBatches = (views: Views, scope: BatchScope): number =>
  countRows(views, batches, ...conditions(scope))

const conditions = ({ state, collection, submitter }: BatchScope) => areAll({ state, collection, submitter })

export const batchLine = (row: BatchRow, now: string): BatchLine => {
  const { batch, number, state, profile, collection, submitter, title, type, mode, message } = row
  const { jobs, open, held, completed, failed, deleted, submittedAt, submission } = row
  return {
    number,
    state,
    batch,
    profile,
    collection,
    submitter,
    creator: submission.description?.who ?? null,
    title,
    file: submission.payload.name ?? submission.payload.url,
    type,
    mode,
    jobs,
    open,
    held,
    completed,
    failed,
    deleted,
    submittedAt,
    ageSeconds: secondsSince(submittedAt, now),
    message,
  }
}
