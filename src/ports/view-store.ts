import type { Either } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import type { EventPlace } from '../domain/kernel/event-place.ts'
import type { Row, Tally, Value, ViewQuery, ViewShape } from '../domain/kernel/view.ts'
import type { Checkpoint, CheckpointMoved } from './checkpoint-store.ts'

/** A projection's access to a view: whole rows by key. */
export interface Table {
  get(...key: readonly Value[]): Row | undefined
  put(row: Row): void
  delete(...key: readonly Value[]): void
}

export type Tables = Readonly<Record<string, Table>>

/** How a view is stored: it changes what queries and rows cost, never what they hold. */
export interface StorageHints<Column extends string = string> {
  /** Indexes without the rows whose last indexed column is null: for columns that few rows have. */
  readonly sparse?: readonly (readonly Column[])[]
  /**
   * True if keys come in no order, as names and hashes do: rows are stored in the order in which they come. Else each
   * new row would change a page of its own, and cost more the more rows there are.
   */
  readonly isUnordered?: boolean
  /**
   * True if only the event that puts a row ever writes it. The store looks for no earlier row, and caches none: rows
   * that grow with each event would displace those that are read again.
   */
  readonly isWrittenOnce?: boolean
  /**
   * Columns of text with ids that many rows share, in this view or another of its projection. Each id is stored once;
   * rows and indexes hold a number for it. Numbers grow in the order in which ids come: new rows lie at the end of each
   * index.
   */
  readonly ids?: readonly Column[]
  /**
   * A column of text by which rows are found (`ViewStore.withWord`): by the beginning of each of its words, or of its
   * last part, where it holds paths. Case and accents do not matter: see domain/kernel/words.ts.
   */
  readonly words?: { readonly column: Column; readonly are: 'words' | 'file names' }
}

/** The shape of a view, and how it is stored. */
export type StoredShape = ViewShape & StorageHints

/** Names the event of the row changes that follow: a version of a row begins with an event. */
export type BeginEvent = (event: Pick<RecordedEvent, 'position' | 'recordedAt'>) => void

/** Access for changes of rows: the tables, and the event that changes them. */
export interface Folding {
  readonly tables: Tables
  readonly begin: BeginEvent
}

/**
 * A point of the log: a position, or the place before the first event that is later than an ISO 8601 UTC time. If a
 * clock ran backward, the order of the log decides.
 */
export type Point = { readonly position: bigint } | { readonly time: string }

/** An event that views were folded from, at or before a point. */
export interface Moment {
  /** -1n: there is none. */
  readonly position: bigint
  /** The latest time of it and of all before it. */
  readonly time: string | null
  /** Position behind which more events at or before the point may follow; undefined if none does. */
  readonly next: bigint | undefined
}

/** The views of one projection at one version. Several may exist side by side; one is live. */
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
  /** Events that it held when it was read, in their order: no checkpoint was wrong up to there. */
  readonly seen: readonly EventPlace[]
}

/** Moves the checkpoint of a generation, if it still is `from`, to another place. */
export interface Correction {
  readonly generation: Generation
  readonly from: bigint
  readonly to: Checkpoint
  /** Its rows hold what the log does not: a generation that has views is dropped and rebuilt. */
  readonly isWrong: boolean
}

/** Moves the checkpoint of a generation whose rows stay as they are: no event up to there concerned it. */
export interface Pass {
  readonly generation: Generation
  readonly from: bigint
  readonly to: Checkpoint
}

/** Difference between two generations, with at most a few rows that only one has, as examples. */
export interface Difference {
  readonly view: string
  /** Number of keys whose rows are not the same. */
  readonly rows: number
  readonly onlyInFirst: readonly Row[]
  readonly onlyInSecond: readonly Row[]
}

/** Compares as `ViewStore.compare` does, without blocking the event loop. */
export interface Comparer {
  /** Rejects once it is closed. */
  compare(first: Generation, second: Generation): Promise<readonly Difference[] | undefined>
  close(): Promise<void>
}

/** A row that differs between two moments. */
export interface RowChange {
  /** The columns of the key. */
  readonly key: Row
  /** Undefined: it did not exist. */
  readonly before: Row | undefined
  readonly after: Row | undefined
  /** Positions of the events that wrote it in between, in their order: the latest 20; of a deleted row the first 20. */
  readonly positions: readonly bigint[]
}

export interface ChangesPage {
  /** Most rows that are compared. */
  readonly limit: number
  /** Key of a row: the page begins behind it. */
  readonly after?: readonly Value[]
}

export interface RowChanges {
  /** In the order of the key; rows that were written again unchanged are left out. */
  readonly changes: readonly RowChange[]
  /** Key to continue behind; undefined at the end. */
  readonly next: readonly Value[] | undefined
}

/** Views as of an earlier moment. */
export interface ViewsAsOf extends ViewStore {
  /** Changes since an earlier position. */
  changes(view: string, since: bigint, page: ChangesPage): RowChanges
  /**
   * Number of rows that a query reads if no index of the history fits it: all of the moment, and those that ended
   * since. Undefined if an index fits; throws `TooManyRows`.
   */
  scanned(view: string, query: ViewQuery): number | undefined
}

export interface WordPage {
  readonly limit: number
  readonly hasText?: boolean
}

/** All live views as of one moment, whatever is folded meanwhile. To be closed: until then the file keeps what it replaces. */
export interface ViewSnapshot {
  readonly views: readonly StoredShape[]
  /** The generation of a view, and the position that it was folded up to. Throws `ViewQueryError`. */
  generation(view: string): Generation & { readonly position: bigint }
  /** Rows in the order of the key: numbers by size, texts by the bytes of their UTF-8. Read as they are asked for. Throws `ViewQueryError`. */
  rows(view: string): Iterable<Row>
  close(): void
}

/** All calls are synchronous: views live in the process (or the file) that folds them. */
export interface ViewStore {
  /** Undefined until the views are bound to a log. */
  foldedLog(): FoldedLog | undefined
  /** Binds the views to a log, and corrects checkpoints that are not true of it: all in one transaction. */
  bindTo(log: FoldedLog, corrections: readonly Correction[]): void
  /** The live generation, if any. */
  live(projection: string): Generation | undefined
  generations(): readonly (Generation & { readonly checkpoint: Omit<Checkpoint, 'event'> })[]
  /** Creates empty tables beside the live ones. */
  create(projection: string, version: number, views: readonly StoredShape[]): Generation
  /** Makes it live and drops all others of its projection, in one transaction. */
  promote(generation: Generation): void
  drop(generation: Generation): void
  checkpoint(generation: Generation): Checkpoint
  /**
   * One transaction: checks that the checkpoint still is `from`, lets `apply` change rows, sets it to `to`. Changes
   * nothing if it is not, or if `apply` throws. Rows are written once at the end, however often they change. A view
   * with history gets one version for each event that writes a row, whatever it writes; without `begin` all changes
   * belong to an event at `to`.
   */
  fold(
    generation: Generation,
    from: bigint,
    to: Checkpoint,
    apply: (tables: Tables, begin: BeginEvent) => void,
  ): Either<CheckpointMoved, void>
  /**
   * Moves checkpoints in one transaction, each if it still is `from`; returns true for each that was. Throws
   * `UnavailableError` at once if another process is writing: that may take seconds, and none of this is urgent.
   */
  pass(passes: readonly Pass[]): readonly boolean[]
  /** Rows of the live generation (or of a given one). Unknown views and columns throw `ViewQueryError`. */
  query(view: string, query: ViewQuery, generation?: Generation): readonly Row[]
  tally(view: string, tally: Tally, generation?: Generation): readonly Row[]
  /**
   * Keys of rows with a word that begins so, in the order of the words: a row once for each; `hasText`: with the column
   * that holds it. `begin` is a word of `wordsOf`, or its beginning. Throws `ViewQueryError` for a view without words, and `HistoryNotKept` as of a moment.
   */
  withWord(view: string, begin: string, page: WordPage): readonly Row[]
  shape(view: string): StoredShape | undefined
  views(): readonly StoredShape[]
  /**
   * Returns an event that a generation was folded from, at a point or not long before it, if one of its views keeps
   * history.
   */
  moment(generation: Generation, point: Point): Moment
  /**
   * Returns the views of a live generation as of `at`, an event of its history. Only for queries; need not be closed.
   * Throws `HistoryNotKept` for a view without history, or with none that far back, and `TooManyRows`.
   */
  asOf(generation: Generation, at: Checkpoint): ViewsAsOf
  /**
   * Deletes some of a generation's history before a time. Returns true if more is to be deleted. Queries as of an
   * earlier moment then throw `HistoryNotKept`.
   */
  dropHistory(generation: Generation, time: string): boolean
  /** Position from which on all views of a generation that keep history have it; -1n for all of it. */
  historyFrom(generation: Generation): bigint
  /** Compares row by row, in one snapshot. Undefined while the checkpoints differ. */
  compare(first: Generation, second: Generation): readonly Difference[] | undefined
  /** Compares rows that take long, in a thread if there can be one. */
  comparer(): Promise<Comparer>
  snapshot(): Promise<ViewSnapshot>
  /** An independent store for as-of queries. Closing it deletes it. */
  scratch(): ViewStore
  close(): void
}
