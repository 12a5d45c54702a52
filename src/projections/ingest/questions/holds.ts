import { batches, holds, jobs } from '../../../domain/ingest/views.ts'
import { countRows, is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { HoldRow } from '../tables.ts'
import type { HoldLine } from './answers.ts'

const held = is('state', 'held')

/** All ingest first, then collections, batches and jobs. */
export const holdLines = (views: Views, limit: number): readonly HoldLine[] => {
  const scopes = rows(views, holds, { limit }).map((row) => scopeLine(views, row))
  const ofBatches = rows(views, batches, { where: [held], orderBy: [{ column: 'number' }], limit }).map(
    ({ number, batch, message, actor, lastModified }): HoldLine => ({
      kind: 'batch',
      name: String(number ?? batch),
      reason: message ?? '',
      actor,
      since: lastModified,
      batches: 1,
      jobs: 0,
    }),
  )
  const ofJobs = rows(views, jobs, { where: [held], orderBy: [{ column: 'job' }], limit }).map(
    ({ job, message, actor, lastModified }): HoldLine => ({
      kind: 'job',
      name: String(job),
      reason: message ?? '',
      actor,
      since: lastModified,
      batches: 0,
      jobs: 1,
    }),
  )
  return [...scopes, ...ofBatches, ...ofJobs].slice(0, limit)
}

const scopeLine = (views: Views, { collection, reason, actor, since }: HoldRow): HoldLine => {
  const which = collection === null ? [] : [is('collection', collection)]
  return {
    kind: collection === null ? 'all' : 'collection',
    name: collection ?? 'all',
    reason,
    actor,
    since,
    batches: countRows(views, batches, held, ...which),
    jobs: countRows(views, jobs, held, ...which),
  }
}
