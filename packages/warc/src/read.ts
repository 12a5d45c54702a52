export { createInflater, type DecoderOptions, type Inflater } from './bytes/inflater.ts'
export type { ContainedArchive, Contents, FindContents } from './contents.ts'
export { identify } from './open-container.ts'
export {
  type BlockReader,
  type OpenRecord,
  openRecords,
  type RecordReading,
  type RecordsRead,
  type Visit,
} from './open-records.ts'
export type { OnProgress } from './progress.ts'
export { type ReadOptions, type ReadSummary, readRecords } from './read-file.ts'
export { createPayloadDigest, type PayloadDigest } from './records/payload-digest.ts'
export type { Loss } from './salvage/losses.ts'
export { type SalvageOptions, type SalvageSummary, salvageRecords } from './salvage/salvage-records.ts'
export type { Source, SourceFile, ToError } from './source.ts'
