import { maxFailures } from '../../../domain/ingest/batch/events.ts'
import type { BatchWork } from '../../../domain/ingest/tasks.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { StepReports } from '../step-reports.ts'

/** I8: the batch itself knows the outcome of each job; this adds why the first of them failed. */
export const reportBatch = async (
  { id: batch, fence }: BatchWork,
  reports: StepReports,
  viewStore: Pick<ViewStore, 'query'>,
): Promise<void> => {
  const failed = rowsIfFolded(viewStore, jobs, {
    where: [is('batch', batch), is('state', 'failed')],
    orderBy: [{ column: 'job' }],
    limit: maxFailures,
  })
  const failures = failed.map(({ job, message }) => ({ job, message: message ?? 'it failed' }))
  await reports.report('batch.reported', { batch, fence, failures })
}
