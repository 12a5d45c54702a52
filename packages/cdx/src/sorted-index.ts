export { closestLines } from './sorted-index/closest.ts'
export { IndexUnavailable, UnusableIndex } from './sorted-index/index-errors.ts'
export type { LevelSettings } from './sorted-index/levels.ts'
export type { WriterSettings } from './sorted-index/merges.ts'
export { openIndex, type SortedIndexOptions } from './sorted-index/open-index.ts'
export type {
  ChangedLine,
  ChangesWanted,
  ClosestWanted,
  ExportedLines,
  ExportOptions,
  HandChange,
  IndexChange,
  LastChange,
  LineBatches,
  LostLines,
  MergeFiles,
  MergeOptions,
  MergeReport,
  RefusedChange,
  RunFacts,
  RunWriter,
  ScanRange,
  SortedIndex,
  WriteFilesOptions,
  WrittenRun,
} from './sorted-index/types.ts'
