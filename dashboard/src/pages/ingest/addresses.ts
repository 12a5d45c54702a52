import { pathOf } from '../../address/address.ts'

export const batchAt = (batch: string | number): string =>
  pathOf('/ingest/batches/:batch', { batch: String(batch) })
export const reportAt = (batch: string | number): string =>
  pathOf('/ingest/batches/:batch/report', { batch: String(batch) })
export const jobAt = (job: string | number): string => pathOf('/ingest/jobs/:job', { job: String(job) })
