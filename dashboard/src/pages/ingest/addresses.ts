import { pathOf } from '../../address/address.ts'

export const batchAt = (batch: string | number): string =>
  pathOf('/ingest/batches/:batch', { batch: String(batch) })
/** Of one state, or all. */
export const batchesAt = (state?: string): string =>
  state === undefined ? '/ingest/batches' : `/ingest/batches?${new URLSearchParams({ state })}`
export const reportAt = (batch: string | number): string =>
  pathOf('/ingest/batches/:batch/report', { batch: String(batch) })
export const jobAt = (job: string | number): string => pathOf('/ingest/jobs/:job', { job: String(job) })
