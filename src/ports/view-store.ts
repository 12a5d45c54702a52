import type { Either } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { type EventPlace, placeOf } from '../domain/kernel/event-place.ts'
import { Away } from './away.ts'

export type ColumnType = 'text' | 'integer' | 'real' | 'json'
export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** A table of rows. `json` columns hold any JSON value; booleans are integers 0 and 1. */
export interface ViewShape {
  readonly name: string
  readonly description: string
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly indexes?: readonly (readonly string[])[]
}

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

export interface Checkpoint {
  /** Everything up to here is folded in; -1n for nothing. */
  readonly position: bigint
  /** `recordedAt` of the last event folded in. */
  readonly time: string | null
  /**
   * The last event folded in, or a later one behind which there was none to fold in: shows whether the log was put back
   * since. Null where there was none; absent where that is not known, as an older program moved the checkpoint.
   */
  readonly event?: EventPlace | null
}

/** The checkpoint once these events are folded in too, and everything up to a position was looked at. */
export const movedOn = (from: Checkpoint, events: readonly RecordedEvent[], position: bigint): Checkpoint => {
  const last = events.at(-1)
  return last ? { position, time: last.recordedAt, event: placeOf(last) } : { ...from, position }
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

/** Somebody else moved the checkpoint: nothing was written; read it again and go on from there. */
export interface CheckpointMoved {
  readonly kind: 'CheckpointMoved'
  readonly actual: bigint
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'prefix'

export type Condition =
  | { readonly column: string; readonly is: Comparison; readonly value: Value }
  /** One of these; of none, no row is. */
  | { readonly column: string; readonly is: 'in'; readonly value: readonly (string | number)[] }

export interface ViewQuery {
  /** All must hold. `prefix` matches text that starts with the value, byte for byte. */
  readonly where?: readonly Condition[]
  readonly orderBy?: readonly { readonly column: string; readonly descending?: boolean }[]
  readonly limit?: number
  readonly offset?: number
}

/** Its rows hold the `by` columns, `count`, and the total of each `sum` column under its own name. */
export interface Tally {
  /** Columns to group by. */
  readonly by: readonly string[]
  /** Columns to add up, beside the count. */
  readonly sum?: readonly string[]
  readonly where?: readonly Condition[]
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

/** How far the live views of a projection are folded; -1n where there are none. */
export const livePosition = (viewStore: Pick<ViewStore, 'generations'>, projection: string): bigint =>
  viewStore.generations().find((one) => one.projection === projection && one.status === 'live')?.checkpoint
    .position ?? -1n

/** A question that cannot be asked: the message names the column and those that exist. */
export class ViewQueryError extends Error {
  override readonly name = 'ViewQueryError'
}

/** The views cannot be read or written now (locked, disk full, not ours): the message says why and what to do. */
export class ViewStoreAway extends Away {
  override readonly name = 'ViewStoreAway'
}

/** The generation was dropped, as when another process put its successor in its place: look for the live one again. */
export class GenerationGone extends Error {
  override readonly name = 'GenerationGone'
}
