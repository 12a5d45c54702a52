export { createInflater, type DecoderOptions, type Inflater } from './bytes/inflater.ts'
export { identify } from './open-container.ts'
export {
  type BlockReader,
  type OpenRecord,
  openRecords,
  type RecordReading,
  type RecordsRead,
  type Visit,
} from './open-records.ts'
export { type OnProgress, type ReadOptions, type ReadSummary, readRecords } from './read-file.ts'
export { createPayloadDigest, type PayloadDigest } from './records/payload-digest.ts'
export { type SalvageOptions, type SalvageSummary, salvageRecords } from './salvage/salvage-records.ts'
export type { Loss } from './salvage/survey.ts'
export type { Source, ToError } from './source.ts'
