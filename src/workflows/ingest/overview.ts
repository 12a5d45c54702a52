import { batches, holds } from '../../domain/ingest/views.ts'
import { countRows, is, narrowRows, rows } from '../../domain/kernel/read-views.ts'
import { batchesWith } from '../../projections/ingest/questions/waiting.ts'
import { doneInHour } from '../../projections/kernel/questions/activity.ts'
import { expectedEnd, maxUnderWay, type Overview } from '../overview.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Batches under way, the oldest first; and batches of which something failed or is held, with holds. */
export const ingestOverview = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): Overview | undefined => {
  if (!viewStore.shape(batches.name)) return undefined
  const now = clock.now()
  const inHour = doneInHour(viewStore, 'ingest', now)
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
    needs: batchesOf(viewStore).size + countRows(viewStore, holds),
  }
}

/** More are counted in part. */
const maxCounted = 1000

/** Batches that failed or are held, and those of which jobs did or are. */
const batchesOf = (viewStore: WorkflowContext['viewStore']): ReadonlySet<string | null> =>
  new Set(
    (['failed', 'held'] as const).flatMap((state) => [
      ...batchesWith(viewStore, state, maxCounted),
      ...narrowRows(viewStore, batches, ['batch'], { where: [is('state', state)], limit: maxCounted }).map(
        ({ batch }) => batch,
      ),
    ]),
  )
