import type { Either } from 'fp-ts/lib/Either.js'
import type { EventPlace } from '../domain/kernel/event-place.ts'
import type { Row, Tally, Value, ViewQuery, ViewShape } from '../domain/kernel/view.ts'
import type { Checkpoint, CheckpointMoved } from './checkpoint-store.ts'

/** What a projection may do to a view: whole rows by key. */
export interface Table {
  get(...key: readonly Value[]): Row | undefined
  put(row: Row): void
  delete(...key: readonly Value[]): void
}

export type Tables = Readonly<Record<string, Table>>

/** The views of one projection at one version; several may stand side by side, one is live. */
export interface Generation {
  readonly projection: string
  readonly version: number
  /** Distinguishes builds of the same version. */
  readonly id: number
  readonly status: 'building' | 'live'
}

/** The log that views are folded from. */
export interface FoldedLog {
  readonly id: string
  /** Events that it held when it was looked at, in their order: no checkpoint was wrong up to there. */
  readonly seen: readonly EventPlace[]
}

/** Puts the checkpoint of a generation, where it still is `from`, to another place. */
export interface Correction {
  readonly generation: Generation
  readonly from: bigint
  readonly to: Checkpoint
  /** Its rows hold what the log does not: a generation that has views is dropped, to be folded anew. */
  readonly isWrong: boolean
}

/** The checkpoint of a generation moves, as nothing up to there concerned it: its rows stay as they are. */
export interface Pass {
  readonly generation: Generation
  readonly from: bigint
  readonly to: Checkpoint
}

/** How two generations differ: rows that only one has, at most a few of each as examples. */
export interface Difference {
  readonly view: string
  /** Number of keys whose rows are not the same. */
  readonly rows: number
  readonly onlyInFirst: readonly Row[]
  readonly onlyInSecond: readonly Row[]
}

/** All calls are synchronous: views live in the process (or the file) that folds them. */
export interface ViewStore {
  /** Undefined before anybody said so. */
  foldedLog(): FoldedLog | undefined
  /** Says from which log views are folded, and corrects what is not true of it: all in one transaction. */
  bindTo(log: FoldedLog, corrections: readonly Correction[]): void
  /** The live generation, if any. */
  live(projection: string): Generation | undefined
  generations(): readonly (Generation & { readonly checkpoint: Omit<Checkpoint, 'event'> })[]
  /** Empty tables beside the live ones. */
  create(projection: string, version: number, views: readonly ViewShape[]): Generation
  /** Makes it the live one and drops all others of its projection, in one transaction. */
  promote(generation: Generation): void
  drop(generation: Generation): void
  checkpoint(generation: Generation): Checkpoint
  /**
   * One transaction: checks that the checkpoint still is `from`, lets `apply` change rows, sets it to `to`. When it
   * is not, or `apply` throws, nothing is changed. Rows are written once at the end, however often they change.
   */
  fold(
    generation: Generation,
    from: bigint,
    to: Checkpoint,
    apply: (tables: Tables) => void,
  ): Either<CheckpointMoved, void>
  /** Moves checkpoints in one transaction, each where it still is `from`: true where it was. */
  pass(passes: readonly Pass[]): readonly boolean[]
  /** Rows of the live generation (or of a given one). Unknown views and columns throw `ViewQueryError`. */
  query(view: string, query: ViewQuery, generation?: Generation): readonly Row[]
  tally(view: string, tally: Tally, generation?: Generation): readonly Row[]
  shape(view: string): ViewShape | undefined
  views(): readonly ViewShape[]
  /** Row for row, in one snapshot; undefined while the two checkpoints are not the same. */
  compare(first: Generation, second: Generation): readonly Difference[] | undefined
  /** An independent store that is gone when it is closed, for as-of questions. */
  scratch(): ViewStore
  close(): void
}
