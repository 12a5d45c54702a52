import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { NewEvent, RecordedEvent } from '../domain/kernel/event.ts'
import type { Unavailable } from './unavailable.ts'

/**
 * What the writer believes about the stream: it has no events (`none`), it stands at a revision, it exists, or it
 * does not matter (`any`). The outcome of every combination is the append truth table, which the contract suite holds.
 */
export type Expected = 'none' | 'exists' | 'any' | bigint

export interface Appended {
  /** Revision of the last event written (or found again, for a repeat). -1n after an empty append to no stream. */
  readonly revision: bigint
  /** Position of the last event written (or found again). */
  readonly position: bigint
}

export type AppendFailure =
  | { readonly kind: 'Conflict'; readonly stream: string; readonly actual: bigint | 'none' }
  | { readonly kind: 'StreamDeleted'; readonly stream: string }
  | { readonly kind: 'TooLarge'; readonly bytes: number; readonly limit: number }
  /** The log takes no such event, or no such stream, however often it is tried. */
  | { readonly kind: 'Refused'; readonly stream: string; readonly reason: string }
  | Unavailable

/** The events of one stream among appends that are made together. */
export interface StreamAppend {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly NewEvent[]
}

/** Other writers were faster every time. */
export interface Contended {
  readonly kind: 'Contended'
  readonly stream: string
  readonly tries: number
}

export type ReadFailure = { readonly kind: 'StreamDeleted'; readonly stream: string } | Unavailable

/** Both lists narrow; an event passes when its category and its type are each listed (or the list is absent). */
export interface EventFilter {
  readonly categories?: readonly string[]
  readonly types?: readonly string[]
}

/** A stream's metadata in EventStoreDB's words: `$maxCount`, `$maxAge`, `$tb`, `$acl` …, and names of one's own. */
export type StreamMetadata = Readonly<Record<string, unknown>>

/** A step of a subscription. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[]
  /** Everything up to here has been looked at: where to resume once `events` are handled. */
  readonly position: bigint
  /** True when nothing more was waiting: the reader is live. */
  readonly caughtUp: boolean
}

/** Where a stream is read from, inclusive. */
export interface StreamPlace {
  readonly stream: string
  readonly from: bigint | 'start'
}

export interface EventStore {
  /** All or none of `events` (at least one), in order. Safe to repeat with the same ids and the same `expected`. */
  append(stream: string, expected: Expected, events: readonly NewEvent[]): TaskEither<AppendFailure, Appended>

  /**
   * Appends to different streams, each by itself: one may fail where the others are written. The answers are in the same order.
   * Absent where that is a call each.
   */
  appendEach?(
    appends: readonly StreamAppend[],
  ): TaskEither<Unavailable, readonly Either<AppendFailure, Appended>[]>

  /** From `from` inclusive (backward: downward from it), at most `limit`. A missing stream reads as empty. */
  read(
    stream: string,
    from: bigint | 'start' | 'end',
    direction: 'forward' | 'backward',
    limit: number,
  ): TaskEither<ReadFailure, readonly RecordedEvent[]>

  /** Reads different streams forward, each as `read` does. The answers are in the same order. Absent where that is a call each. */
  readEach?(
    places: readonly StreamPlace[],
    limit: number,
  ): TaskEither<Unavailable, readonly Either<ReadFailure, readonly RecordedEvent[]>[]>

  /**
   * Forward from behind `after` (-1n: from the first event on), at most `limit` matching events; fewer where they are
   * large, or rare: no more than `maxScanned` events are looked at (or `limit`, where that is more). That a page is
   * short or empty says nothing, `caughtUp` does. Positions are places that a log gave out, of an event or
   * of a batch: a server may know no others.
   */
  readAll(after: bigint, filter: EventFilter, limit: number): TaskEither<Unavailable, EventBatch>

  /** The newest events of the whole log before a position, the newest first. */
  readBack(before: bigint | 'end', limit: number): TaskEither<Unavailable, readonly RecordedEvent[]>

  /**
   * Everything behind `after` (exclusive; -1n for all), then whatever comes, until `signal` aborts. The next batch
   * is read when the consumer asks for it, so a slow reader simply catches up again and nothing is buffered.
   * Throws `UnavailableError` when the store cannot be read; subscribe again from the last handled position.
   */
  subscribe(after: bigint, filter: EventFilter, signal: AbortSignal): AsyncIterable<EventBatch>

  /** Position of the last event, -1n for an empty log. */
  head(): TaskEither<Unavailable, bigint>

  /** Names this log for ever: what was folded from another one, with its other positions, can be told from it. */
  identity(): TaskEither<Unavailable, string>

  /**
   * Whether all events can be read: a sentence about what is damaged or missing, and what to do; undefined where nothing
   * is. Asked by whoever reads the whole log. One of more than `upTo` bytes is not looked through. A server looks after
   * its own log.
   */
  damage(upTo?: number): TaskEither<Unavailable, string | undefined>

  /** Whether appends are taken now: `Unavailable` while they are refused. A server is asked by appending alone. */
  writable(): TaskEither<Unavailable, void>

  /**
   * `soft`: reads as empty, may be written again, revisions go on; what never was is a conflict, and one that was deleted
   * so already `exists` no more, but fits `any`, `none` and its last revision again. `tombstone`: refused for ever, also
   * where it never was.
   */
  deleteStream(
    stream: string,
    expected: Expected,
    mode: 'soft' | 'tombstone',
  ): TaskEither<AppendFailure, void>

  /**
   * From now on only the stream's last `count` events have to stay readable; older ones may go. 0: all that are still
   * there stay. Of a deleted stream it changes nothing. For streams that keep house (leader leases), never for facts.
   */
  keepLatest(stream: string, count: number): TaskEither<Unavailable, void>

  /** What is ruled about a stream, and whatever else is kept beside it; empty where nothing is, and for a tombstoned one. */
  metadata(stream: string): TaskEither<Unavailable, StreamMetadata>

  /** In the place of all that was there. A tombstoned stream takes none. */
  setMetadata(stream: string, metadata: StreamMetadata): TaskEither<AppendFailure, void>

  close(): Promise<void>
}
