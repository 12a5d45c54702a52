import { batches, holds, jobs } from '../../../domain/ingest/views.ts'
import { countRows, is, pageOfRows, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { HoldRow } from '../tables.ts'
import type { HoldLine } from './answers.ts'

const held = is('state', 'held')

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Number of holds of each kind; they are listed one kind after the other. */
const countsOf = (views: Views) =>
  [countRows(views, holds), countRows(views, batches, held), countRows(views, jobs, held)] as const

export const countHolds = (views: Views): number => countsOf(views).reduce((sum, n) => sum + n, 0)

/** All ingest first, then collections, batches and jobs. */
export const holdLines = (views: Views, { limit, offset }: Page): readonly HoldLine[] => {
  const [scopeCount, batchCount] = countsOf(views)
  const behind = (count: number) => ({ limit, offset: Math.max(0, offset - count) })
  const scopes = rows(views, holds, { limit, offset }).map((row) => scopeLine(views, row))
  const ofBatches = pageOfRows(views, batches, {
    where: [held],
    orderBy: [{ column: 'number' }],
    ...behind(scopeCount),
  }).map(
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
  const ofJobs = pageOfRows(views, jobs, {
    where: [held],
    orderBy: [{ column: 'job' }],
    ...behind(scopeCount + batchCount),
  }).map(
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
