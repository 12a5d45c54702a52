import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { FoldedBatch, ProjectionPosition } from '../../projections/runtime/run-projection.ts'
import type { Config } from '../config/settings.ts'
import type { SharedTurns } from './write-turns.ts'

/** The `workerData` of the thread that folds. */
export interface FoldThreadData {
  readonly config: Config
  /** A module whose default export opens log and views: `(config) => Promise<FoldStores>`. */
  readonly storesModule: string
  /** A module whose default export is a list of projections. */
  readonly projectionsModule: string
  /** Those of them that are folded. */
  readonly names: readonly string[]
  readonly turns: SharedTurns
  readonly nudged: SharedFlag
}

/** Log and views on connections of the thread's own. */
export interface FoldStores {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
  /** The log has grown. */
  changed(): void
  /** The views' file is damaged, as `error` says, or another one took its place: the main thread opens it anew. */
  isLost(error?: unknown): boolean
  close(): Promise<void>
}

/** `begin`: the main thread folds no more. `changed`: the log has grown. `stop`: once, in the end. */
export type ToFoldThread = 'begin' | 'changed' | 'stop'

/** `ready`: log and views are open. Then what was folded since the last report. */
export type FromFoldThread = 'ready' | FoldReport

export interface FoldReport {
  readonly batches: readonly FoldedBatch[]
  readonly steps: readonly FoldStep[]
}

/** Where a projection stands now. */
interface FoldStep {
  readonly projection: string
  readonly progress: ProjectionPosition
  /** It has come further since the last report: whether its rows may have changed. Undefined where it has not. */
  readonly hasNews: boolean | undefined
}

/** Memory that both threads see: 1 while a message is on its way, so that there is never more than one. */
type SharedFlag = Int32Array<SharedArrayBuffer>

export const sharedFlag = (): SharedFlag =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
