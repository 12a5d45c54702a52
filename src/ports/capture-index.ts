import type * as cdx from '@fonds/cdx/sorted-index'
import type { EventPlace } from '../domain/kernel/event-place.ts'

export type {
  ChangedLine,
  ChangesWanted,
  ClosestWanted,
  ExportedLines,
  ExportOptions,
  HandChange,
  LineBatches,
  LostLines,
  MergeOptions,
  MergeReport,
  RunFacts,
  RunWriter,
  ScanRange,
  WriteFilesOptions,
  WrittenRun,
} from '@fonds/cdx/sorted-index'

/**
 * The sorted index of captures. Each change names the event that decided it, which shows whether a log is still the one
 * that the index was made from.
 *
 * A call that the disk refuses, or that another process blocks, rejects with `UnavailableError`: the index is
 * unchanged, and the same call may be made again.
 */
export type CaptureIndex = cdx.SortedIndex<EventPlace>
export type LastChange = cdx.LastChange<EventPlace>
export type IndexChange = cdx.IndexChange<EventPlace>
export type RefusedChange = cdx.RefusedChange<EventPlace>

/** The default export of a module that reading threads open. It writes nothing before the first lines. */
export type OpenRunWriter = (folder: string) => cdx.RunWriter

/** Position of the index in a log. */
export interface IndexPlace {
  /** The position of its last change. */
  readonly reached: bigint
  /** Why the index, or its waiting changes, cannot have been made from this log; absent: nothing contradicts it. */
  readonly mismatch?: string
}
