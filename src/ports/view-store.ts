import type { Either } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
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

/** Says whose changes of rows come next: a version of a row begins with an event. */
export type BeginEvent = (event: Pick<RecordedEvent, 'position' | 'recordedAt'>) => void

/** What changes rows: the tables, and the event that they are changed by. */
export interface Folding {
  readonly tables: Tables
  readonly begin: BeginEvent
}

/**
 * A point of the log: a position, or the place before the first event that is later than an ISO 8601 UTC time. Where a clock ran
 * backward, the order of the log decides.
 */
export type Point = { readonly position: bigint } | { readonly time: string }

/** An event that views were folded from, at or before a point. */
export interface Moment {
  /** -1n: there is none. */
  readonly position: bigint
  /** The latest of it and of all before it. */
  readonly time: string | null
  /** Behind which position events may follow that are at or before the point, too; undefined where none does. */
  readonly next: bigint | undefined
}

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

/** Compares as `ViewStore.compare` does, while the event loop goes on. */
export interface Comparer {
  /** Rejects once it is closed. */
  compare(first: Generation, second: Generation): Promise<readonly Difference[] | undefined>
  close(): Promise<void>
}

/** A row that is not the same at two moments. */
export interface RowChange {
  /** The columns of the key. */
  readonly key: Row
  /** Undefined: it was not there. */
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** Of the events that wrote it in between, in their order: the latest 20; of a row that went the first 20. */
  readonly positions: readonly bigint[]
}

export interface ChangesPage {
  /** Most rows that are compared. */
  readonly limit: number
  /** The key of a row: those behind it. */
  readonly after?: readonly Value[]
}

export interface RowChanges {
  /** In the order of the key; rows that were written anew as they were are left out. */
  readonly changes: readonly RowChange[]
  /** The key to go on behind; undefined at the end. */
  readonly next: readonly Value[] | undefined
}

/** Views as they were. */
export interface PastViews extends ViewStore {
  /** What differs from an earlier position. */
  changes(view: string, since: bigint, page: ChangesPage): RowChanges
  /**
   * How many rows are read for the question where no order fits it that the view keeps its past in: all of the moment, and those that
   * ended since. Undefined where an order fits; throws `TooManyRows`.
   */
  scanned(view: string, query: ViewQuery): number | undefined
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
   * is not, or `apply` throws, nothing is changed. Rows are written once at the end, however often they change. A view that
   * keeps its past gets one version for each event that writes a row, whatever it writes; without `begin` all changes are
   * those of an event at `to`.
   */
  fold(
    generation: Generation,
    from: bigint,
    to: Checkpoint,
    apply: (tables: Tables, begin: BeginEvent) => void,
  ): Either<CheckpointMoved, void>
  /**
   * Moves checkpoints in one transaction, each where it still is `from`: true where it was. Throws `UnavailableError` at once
   * where another process is writing: it may take seconds, and none of this is urgent.
   */
  pass(passes: readonly Pass[]): readonly boolean[]
  /** Rows of the live generation (or of a given one). Unknown views and columns throw `ViewQueryError`. */
  query(view: string, query: ViewQuery, generation?: Generation): readonly Row[]
  tally(view: string, tally: Tally, generation?: Generation): readonly Row[]
  shape(view: string): ViewShape | undefined
  views(): readonly ViewShape[]
  /** An event that a generation was folded from at or before a point, and not long before; where one of its views keeps its past. */
  moment(generation: Generation, point: Point): Moment
  /**
   * The views of a live generation as they were at `at`, an event of its past. For questions alone; need not be closed. Throws
   * `PastNotKept` for a view that does not keep its past, or not that far back, and `TooManyRows`.
   */
  asOf(generation: Generation, at: Checkpoint): PastViews
  /**
   * Forgets some of the past before a time that the views of a generation keep: true where more is to go. What was asked as of an
   * earlier moment then throws `PastNotKept`.
   */
  forgetPast(generation: Generation, time: string): boolean
  /** From which position on all views of a generation that keep their past have it; -1n for all of it. */
  pastFrom(generation: Generation): bigint
  /** Row for row, in one snapshot; undefined while the two checkpoints are not the same. */
  compare(first: Generation, second: Generation): readonly Difference[] | undefined
  /** For rows that take long to compare: in a thread, where there can be one. */
  comparer(): Comparer
  /** An independent store that is gone when it is closed, for as-of questions. */
  scratch(): ViewStore
  close(): void
}
