import type { batches, drops, holds, jobs, objects, reports, views } from '../../domain/ingest/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TablesOf } from '../runtime/projection.ts'

export type IngestTables = TablesOf<typeof views>
export type BatchRow = RowOf<typeof batches>
export type JobRow = RowOf<typeof jobs>
export type HoldRow = RowOf<typeof holds>
export type DropRow = RowOf<typeof drops>
export type ObjectRow = RowOf<typeof objects>
export type ReportRow = RowOf<typeof reports>
