import type { DatabaseSync } from 'node:sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { categoryOf } from '../../../src/domain/kernel/event.ts'
import type { Appended, AppendFailure, Expected } from '../../../src/ports/event-store.ts'
import type { EncodedEvent } from './encoding.ts'
import { createRepeatFinder, type Repeat } from './repeats.ts'
import { createMetadataReader, isMetastream, originalOf } from './stream-metadata.ts'
import { createStreamFinder, keepsAll, type Stream, softDeleted, tombstoned } from './streams.ts'
import { createEventWriter, type LogEnd, noStream } from './write-events.ts'

/** Everything here is work for a transaction. */
export interface Appender {
  /** For appends that are made together. */
  end(): LogEnd
  /**
   * The append truth table. All checks come before the first write, so a failure leaves nothing behind; only an id that
   * is already in the stream surfaces while writing, as SQLite's constraint error (`isKnownId`).
   */
  append(
    stream: string,
    expected: Expected,
    events: readonly EncodedEvent[],
    at?: number,
  ): E.Either<AppendFailure, Appended>
  /** After that error: success again where the stream holds every id, else a conflict. */
  resolveRepeat(stream: string, events: readonly EncodedEvent[]): E.Either<AppendFailure, Appended>
  keepLatest(stream: string, count: number): E.Either<never, void>
  deleteStream(stream: string, expected: Expected, mode: 'soft' | 'tombstone'): E.Either<AppendFailure, void>
}

export const createAppender = (db: DatabaseSync, clock: () => number): Appender => {
  const findStream = createStreamFinder(db)
  const streamOf = (name: string): Stream => findStream(name) ?? noStream
  const { end, write, writeFirst } = createEventWriter(db, clock, findStream)
  const repeats = createRepeatFinder(db)
  const metadataOf = createMetadataReader(db)
  const setMaxCount = db.prepare(
    'INSERT INTO streams (name, category, revision, max_count) VALUES (?, ?, -1, ?) ON CONFLICT (name) DO UPDATE SET max_count = excluded.max_count',
  )

  const isTombstoned = (name: string, stream: Stream): boolean =>
    stream.state === tombstoned || (isMetastream(name) && streamOf(originalOf(name)).state === tombstoned)

  const append: Appender['append'] = (name, expected, events, at = end().at) => {
    const first =
      expected === 'none' && events.length > 0 && !isMetastream(name)
        ? writeFirst(name, events, at)
        : undefined
    if (first) return E.right(first)
    const stream = streamOf(name)
    if (isTombstoned(name, stream)) return E.left({ kind: 'StreamDeleted', stream: name })
    if (expected === 'exists') {
      if (stream.state === softDeleted) return E.left({ kind: 'StreamDeleted', stream: name })
      if (stream.revision < 0 && metadataOf(name) === undefined) return conflict(name, stream)
    }
    return expected === 'any' || expected === 'exists'
      ? appendAnywhere(name, stream, events, at)
      : appendAfter(name, stream, expected, events, at)
  }

  const appendAnywhere = (name: string, stream: Stream, events: readonly EncodedEvent[], at: number) => {
    const repeat = stream.revision < 0 ? 'new' : repeats.anywhere(stream, events)
    return repeat === 'new' ? E.right(write(name, stream, events, at)) : unlessMixed(name, stream, repeat)
  }

  const appendAfter = (
    name: string,
    stream: Stream,
    expected: bigint | 'none',
    events: readonly EncodedEvent[],
    at: number,
  ) => {
    const believed = expected === 'none' ? -1 : Number(expected)
    if (believed === stream.revision) return E.right(write(name, stream, events, at))
    if (believed > stream.revision || events.length === 0) return conflict(name, stream)
    const repeat = repeats.after(stream, believed, events)
    if (repeat === 'new' && expected === 'none' && stream.state === softDeleted)
      return E.right(write(name, stream, events, at))
    return unlessMixed(name, stream, repeat)
  }

  return {
    end,
    append,
    resolveRepeat: (name, events) => {
      const stream = streamOf(name)
      return unlessMixed(name, stream, repeats.anywhere(stream, events))
    },
    keepLatest: (name, count) => {
      if (streamOf(name).state !== tombstoned)
        setMaxCount.run(name, categoryOf(name), count > 0 ? count : keepsAll)
      return E.right(undefined)
    },
    deleteStream: createStreamDeleter(db, streamOf),
  }
}

const createStreamDeleter = (
  db: DatabaseSync,
  streamOf: (name: string) => Stream,
): Appender['deleteStream'] => {
  const setState = db.prepare('UPDATE streams SET state = ?, truncated_before = ? WHERE id = ?')
  const addDeleted = db.prepare('INSERT INTO streams (name, category, revision, state) VALUES (?, ?, -1, ?)')
  return (name, expected, mode) => {
    const stream = streamOf(name)
    const isDeleted = stream.state === softDeleted
    if (stream.state === tombstoned || (isDeleted && expected === 'exists'))
      return E.left({ kind: 'StreamDeleted', stream: name })
    // A stream that never was takes a tombstone, and cannot be deleted.
    const fits =
      isDeleted || stream.revision >= 0
        ? expected === BigInt(stream.revision) ||
          expected === (isDeleted ? 'none' : 'exists') ||
          expected === 'any'
        : mode === 'tombstone' && (expected === 'none' || expected === 'any')
    if (!fits) return conflict(name, stream)
    const state = mode === 'soft' ? softDeleted : tombstoned
    if (stream === noStream) addDeleted.run(name, categoryOf(name), state)
    else setState.run(state, stream.revision + 1, stream.id)
    return E.right(undefined)
  }
}

const unlessMixed = (name: string, stream: Stream, repeat: Repeat): E.Either<AppendFailure, Appended> =>
  typeof repeat === 'string' ? conflict(name, stream) : E.right(repeat)

const conflict = (name: string, stream: Stream): E.Either<AppendFailure, never> =>
  E.left({ kind: 'Conflict', stream: name, actual: stream.revision < 0 ? 'none' : BigInt(stream.revision) })
