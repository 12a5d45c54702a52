import { ingest } from '#src/projections/ingest/projection.ts'
import { type Folded as FoldedLog, folding } from '../folding.ts'
import { type IngestLog, ingestLog } from './log.ts'

const { foldAll, open, folded: foldedLog } = folding(ingest)

export { foldAll, open as openIngest }
export type Folded = FoldedLog<IngestLog>

/** A log of ingest and its views, which always are up to date. */
export const folded = (): Folded => foldedLog(ingestLog())
