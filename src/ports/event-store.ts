import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { NewEvent, RecordedEvent } from '../domain/kernel/event.ts'
import type { StoredBytes, StoredContent, StoredEvent } from '../domain/kernel/stored-event.ts'
import type { Unavailable } from './unavailable.ts'

/**
 * The state of the stream that the writer expects: no events (`none`), a revision, any events (`exists`), or no matter
 * which (`any`). The contract suite holds the outcome of every combination, the append truth table.
 */
export type Expected = 'none' | 'exists' | 'any' | bigint

export interface Appended {
  /** Revision of the last event written (or found again, for a repeat). -1n after an empty append to a missing stream. */
  readonly revision: bigint
  /** Position of the last event written (or found again). */
  readonly position: bigint
}

export type AppendFailure =
  | { readonly kind: 'Conflict'; readonly stream: string; readonly actual: bigint | 'none' }
  | { readonly kind: 'StreamDeleted'; readonly stream: string }
  | { readonly kind: 'TooLarge'; readonly bytes: number; readonly limit: number }
  /** The log never accepts this event, or this stream, however often it is tried. */
  | { readonly kind: 'Refused'; readonly stream: string; readonly reason: string }
  | Unavailable

/** The events of one stream in a batch of appends. */
export interface StreamAppend {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** Other writers won every try. */
export interface Contended {
  readonly kind: 'Contended'
  readonly stream: string
  readonly tries: number
}

export type ReadFailure = { readonly kind: 'StreamDeleted'; readonly stream: string } | Unavailable

/** An event passes if its category and its type are each listed. An absent list lets all pass. */
export interface EventFilter {
  readonly categories?: readonly string[]
  readonly types?: readonly string[]
}

/** A stream's metadata in EventStoreDB's terms: `$maxCount`, `$maxAge`, `$tb`, `$acl` …, and custom names. */
export type StreamMetadata = Readonly<Record<string, unknown>>

/** A batch of a subscription. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[]
  /** Everything up to here was examined: resume from here once `events` are handled. */
  readonly position: bigint
  /** True if nothing more was waiting: the reader is live. */
  readonly caughtUp: boolean
}

/** Events as the log holds them. */
export interface StoredBatch extends Pick<EventBatch, 'position' | 'caughtUp'> {
  readonly events: readonly StoredEvent[]
}

/** Data and metadata byte for byte as they are stored. */
export interface EventBytes {
  readonly data: StoredBytes
  /** Empty if there are none. */
  readonly metadata: StoredBytes
}

/** Events with the bytes that they were decoded from. */
export interface BatchWithBytes extends EventBatch {
  /** Those of each event, in the same order. */
  readonly bytes: readonly EventBytes[]
}

/** Place in a stream to read from, inclusive. */
export interface StreamPlace {
  readonly stream: string
  readonly from: bigint | 'start'
}

/** Events of a stream below a revision. */
export interface StreamPart {
  readonly stream: string
  readonly before: bigint
}

export interface EventStore {
  /** Appends all of `events` (at least one) or none, in order. Safe to repeat with the same ids and the same `expected`. */
  append(stream: string, expected: Expected, events: readonly NewEvent[]): TaskEither<AppendFailure, Appended>

  /**
   * Appends to different streams, each by itself: one may fail where the others are written. Results are in the same
   * order. Absent if that needs a call for each.
   */
  appendEach?(
    appends: readonly StreamAppend[],
  ): TaskEither<Unavailable, readonly Either<AppendFailure, Appended>[]>

  /** Reads from `from` inclusive (backward: downward from it), at most `limit`. A missing stream reads as empty. */
  read(
    stream: string,
    from: bigint | 'start' | 'end',
    direction: 'forward' | 'backward',
    limit: number,
  ): TaskEither<ReadFailure, readonly RecordedEvent[]>

  /**
   * Reads different streams forward, each as `read` does. Results are in the same order. Absent if that needs a call
   * for each.
   */
  readEach?(
    places: readonly StreamPlace[],
    limit: number,
  ): TaskEither<Unavailable, readonly Either<ReadFailure, readonly RecordedEvent[]>[]>

  /**
   * Reads forward from behind `after` (-1n: from the first event on), at most `limit` matching events; fewer if they
   * are large or rare: at most `maxScanned` events (or `limit`, if that is more) are examined. A short or empty page
   * does not mean the end: `caughtUp` does. Positions are those that a log returned, of an event or of a batch: a
   * server may know no others.
   */
  readAll(after: bigint, filter: EventFilter, limit: number): TaskEither<Unavailable, EventBatch>

  /** Reads as `readAll` does, data and metadata byte for byte as they are stored. */
  readStored(after: bigint, filter: EventFilter, limit: number): TaskEither<Unavailable, StoredBatch>

  /** Reads as `readAll` does, each event with its stored bytes: for who folds events and compares them, in one reading. */
  readWithBytes(after: bigint, filter: EventFilter, limit: number): TaskEither<Unavailable, BatchWithBytes>

  /**
   * Appends as `append` does, events in the bytes that another log holds: `readStored` returns the same. A server gets
   * two names behind the metadata (`withReservedNames`).
   */
  appendStored(
    stream: string,
    expected: Expected,
    events: readonly StoredContent[],
  ): TaskEither<AppendFailure, Appended>

  /** Reads the newest events of the whole log before a position, the newest first. */
  readBack(before: bigint | 'end', limit: number): TaskEither<Unavailable, readonly RecordedEvent[]>

  /**
   * Reads everything behind `after` (exclusive; -1n for all), then new events, until `signal` aborts. The next batch is
   * read when the consumer asks for it, so a slow reader simply catches up again and nothing is buffered. Throws
   * `UnavailableError` if the store cannot be read; subscribe again from the last handled position.
   */
  subscribe(after: bigint, filter: EventFilter, signal: AbortSignal): AsyncIterable<EventBatch>

  /** Position of the last event, -1n for an empty log. */
  head(): TaskEither<Unavailable, bigint>

  /** Identifies this log for ever: shows whether something was folded from another one, with its other positions. */
  identity(): TaskEither<Unavailable, string>

  /**
   * Checks whether all events can be read. Returns a sentence about damaged or missing ones, with what to do; undefined
   * if there are none. For readers of the whole log. A log of more than `upTo` bytes is not scanned. A server checks
   * its own log.
   */
  damage(upTo?: number): TaskEither<Unavailable, string | undefined>

  /**
   * Checks whether appends are accepted now: `Unavailable` while they are refused. For a server only an append can
   * tell.
   */
  writable(): TaskEither<Unavailable, void>

  /**
   * `soft`: the stream reads as empty and may be written again; its revisions go on. A stream that never existed is a
   * conflict. One that is soft-deleted already no longer matches `exists`, but matches `any`, `none` and its last
   * revision again. `tombstone`: refused for ever, also for a stream that never existed.
   */
  deleteStream(
    stream: string,
    expected: Expected,
    mode: 'soft' | 'tombstone',
  ): TaskEither<AppendFailure, void>

  /**
   * From now on only the stream's last `count` events must stay readable; older ones may be dropped. 0: all remaining
   * ones stay. No effect on a deleted stream. For streams of coordination (leader leases), never for facts.
   */
  keepLatest(stream: string, count: number): TaskEither<Unavailable, void>

  /**
   * Deletes from the log what these streams no longer show because of `$tb` or a deletion, below the revision that is named with each,
   * so that `readAll` does not have it, either. Absent: the server does that when its operator has it scavenged.
   */
  scavenge?(parts: readonly StreamPart[]): TaskEither<Unavailable, void>

  /** Rules of a stream and custom metadata; empty if there is none, and for a tombstoned stream. */
  metadata(stream: string): TaskEither<Unavailable, StreamMetadata>

  /** Replaces all metadata. A tombstoned stream takes none. */
  setMetadata(stream: string, metadata: StreamMetadata): TaskEither<AppendFailure, void>

  close(): Promise<void>
}
