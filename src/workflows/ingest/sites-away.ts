import { jobs } from '../../domain/ingest/views.ts'
import { stillSites, whatHelpsThere, whatWaitsThere } from '../../projections/ingest/questions/site-rules.ts'
import type { Cause } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** Jobs and batches of ingest whose files only one node has, if that node was silent for long. */
export const sitesAway = ({
  viewStore,
  clock,
}: Pick<WorkflowContext, 'viewStore' | 'clock'>): readonly Cause[] =>
  viewStore.shape(jobs.name)
    ? stillSites(viewStore, clock.now()).map((still) => ({
        key: `site-away/ingest/${still.site}`,
        says: `at site ${still.site} of ingest, ${whatWaitsThere(still)}`,
        todo: whatHelpsThere(still),
        weight: still.jobs + still.batches,
      }))
    : []
