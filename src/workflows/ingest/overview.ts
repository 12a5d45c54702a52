import { batches, holds, jobs } from '../../domain/ingest/views.ts'
import { countRows, is, rows } from '../../domain/kernel/read-views.ts'
import { doneInHour } from '../../projections/kernel/questions/activity.ts'
import { expectedEnd, maxUnderWay, type Overview } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Batches under way, the oldest first; and jobs and batches that failed or are held, with holds. */
export const ingestOverview = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): Overview | undefined => {
  if (!viewStore.shape(batches.name)) return undefined
  const now = clock.now()
  const inHour = doneInHour(viewStore, 'ingest', now)
  const stopped = ['failed', 'held'] as const
  let left = 0
  return {
    underWay: rows(viewStore, batches, {
      where: [is('state', 'processing')],
      orderBy: [{ column: 'number' }],
      limit: maxUnderWay,
    })
      .filter(({ open, held }) => open > held)
      .map(({ batch, number, title, jobs, open }) => {
        // Older batches go first.
        left += open
        const until = expectedEnd(left, { inHour, now })
        return {
          title: title ?? `Batch ${number ?? batch}`,
          page: `/ingest/batches/${encodeURIComponent(batch ?? '')}`,
          done: jobs - open,
          total: jobs,
          ...(until !== undefined && { until }),
        }
      }),
    needs:
      stopped.reduce(
        (sum, state) =>
          sum +
          countRows(viewStore, jobs, is('state', state)) +
          countRows(viewStore, batches, is('state', state)),
        0,
      ) + countRows(viewStore, holds),
  }
}
