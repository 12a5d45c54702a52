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
 * The sorted index of captures. Each change has the event that decided it, which tells whether a log is still the one that the index was
 * made from.
 *
 * What a disk refuses, and what another process is in the way of, rejects with `UnavailableError`: the index is as it was before, and
 * the same call may be made again.
 */
export type CaptureIndex = cdx.SortedIndex<EventPlace>
export type LastChange = cdx.LastChange<EventPlace>
export type IndexChange = cdx.IndexChange<EventPlace>
export type RefusedChange = cdx.RefusedChange<EventPlace>

/** The default export of a module that reading threads open. Nothing is written before lines are. */
export type OpenRunWriter = (folder: string) => cdx.RunWriter

/** Where the index stands in a log. */
export interface IndexPlace {
  /** The position of its last change. */
  readonly reached: bigint
  /** Why the index, or what waits for it, cannot have been made from this log; absent: nothing speaks against it. */
  readonly mismatch?: string
}
