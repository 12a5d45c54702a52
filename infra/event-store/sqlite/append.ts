import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Either, isRight, left, right } from 'fp-ts/lib/Either.js'
import { categoryOf } from '../../../src/domain/kernel/event.ts'
import type { Appended, AppendFailure, Expected } from '../../../src/ports/event-store.ts'
import { query } from '../../sqlite/query.ts'
import { type EncodedEvent, encodeForeign } from './encoding.ts'
import { isMetastream, metadataReader, metastreamOf, originalOf, rulesOf } from './stream-metadata.ts'

/** What `$$name` takes: see stream-metadata.ts. */
export const metadataEvent = (json: string): EncodedEvent =>
  encodeForeign({
    id: randomUUID(),
    type: '$metadata',
    contentType: 'application/json',
    data: Buffer.from(json),
    metadata: new Uint8Array(),
  })

const open = 0
const softDeleted = 1
const tombstoned = 2

interface Stream {
  readonly id: number
  /** -1 when there is no stream. */
  readonly revision: number
  readonly state: number
  /** Only so many of the newest events are kept; null for all. */
  readonly maxCount: number | null
}

const noStream: Stream = { id: 0, revision: -1, state: open, maxCount: null }

const SQLITE_CONSTRAINT_UNIQUE = 2067

/** An append met an id that is already in the stream. */
export const isKnownId = (error: unknown): boolean =>
  (error as { errcode?: number }).errcode === SQLITE_CONSTRAINT_UNIQUE && String(error).includes('events.id')

export type Append = (
  stream: string,
  expected: Expected,
  events: readonly EncodedEvent[],
) => Either<AppendFailure, Appended>

/**
 * The append truth table. Runs inside a transaction. All checks come before the first write, so a refusal leaves
 * nothing behind; only an id that is already in the stream surfaces while writing, as SQLite's constraint error.
 */
export const appender = (db: DatabaseSync, clock: () => number) => {
  const findStream = query<[id: number, revision: number, state: number, maxCount: number | null]>(
    db,
    'SELECT id, revision, state, max_count FROM streams WHERE name = ?',
  )
  const addStream = db.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, ?)')
  const moveStream = db.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const reopenStream = db.prepare(
    'UPDATE streams SET revision = ?, state = 0, truncated_before = ? WHERE id = ?',
  )
  const addEvent = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const idAt = query<[id: string, position: number]>(
    db,
    'SELECT id, position FROM events WHERE stream_id = ? AND revision = ?',
  )
  const findId = query<[revision: number, position: number]>(
    db,
    'SELECT revision, position FROM events INDEXED BY events_by_id WHERE stream_id = ? AND id = ?',
  )
  const lastTime = query<[recordedAt: number]>(
    db,
    'SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1',
  )
  const setState = db.prepare('UPDATE streams SET state = ?, truncated_before = ? WHERE id = ?')
  const setMaxCount = db.prepare(
    'INSERT INTO streams (name, category, revision, max_count) VALUES (?, ?, -1, ?) ON CONFLICT (name) DO UPDATE SET max_count = excluded.max_count',
  )
  const dropOldest = db.prepare('DELETE FROM events WHERE stream_id = ? AND revision <= ?')
  const setRules = db.prepare(
    `INSERT INTO streams (name, category, revision, max_count, truncated_before, state) VALUES (?, ?, -1, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       max_count = excluded.max_count, truncated_before = excluded.truncated_before, state = excluded.state`,
  )
  const metadataOf = metadataReader(db)
  const addDeleted = db.prepare('INSERT INTO streams (name, category, revision, state) VALUES (?, ?, -1, ?)')

  const streamOf = (name: string): Stream => {
    const row = findStream.get(name)
    return row ? { id: row[0], revision: row[1], state: row[2], maxCount: row[3] } : noStream
  }

  /** The log's time never runs backward, whatever the machine's clock does. */
  const now = (): number => Math.max(clock(), lastTime.get()?.[0] ?? 0)

  const write = (name: string, stream: Stream, events: readonly EncodedEvent[]): Appended => {
    const revision = stream.revision + events.length
    if (events.length === 0) return { revision: BigInt(stream.revision), position: -1n }
    let id = stream.id
    if (stream === noStream) id = Number(addStream.run(name, categoryOf(name), revision).lastInsertRowid)
    else if (stream.state === softDeleted) reopenStream.run(revision, stream.revision + 1, id)
    else moveStream.run(revision, id)
    const at = now()
    let position: number | bigint = 0
    let next = stream.revision
    for (const event of events)
      position = addEvent.run(
        id,
        ++next,
        event.id,
        event.type,
        at,
        event.data,
        event.metadata,
        event.encoding,
      ).lastInsertRowid
    if (stream.maxCount !== null) dropOldest.run(id, revision - stream.maxCount)
    if (stream.state === softDeleted) undelete(name, stream.revision + 1)
    if (isMetastream(name)) applyMetadata(originalOf(name))
    return { revision: BigInt(revision), position: BigInt(position) }
  }

  const applyMetadata = (name: string): void => {
    const rules = rulesOf(metadataOf(name))
    const stream = streamOf(name)
    if (!isRight(rules) || stream.state === tombstoned) return
    const { maxCount, truncateBefore, deleted } = rules.right
    const from = deleted ? stream.revision + 1 : truncateBefore
    setRules.run(name, categoryOf(name), maxCount, from, deleted ? softDeleted : open)
  }

  /** Where metadata say that the stream is deleted, they now say from where on it is not. */
  const undelete = (name: string, from: number): void => {
    const metadata = metadataOf(name)
    const rules = rulesOf(metadata)
    if (!isRight(rules) || !rules.right.deleted) return
    write(metastreamOf(name), streamOf(metastreamOf(name)), [
      metadataEvent(JSON.stringify({ ...(metadata as object), $tb: from })),
    ])
  }

  const conflict = (name: string, stream: Stream): Either<AppendFailure, never> =>
    left({ kind: 'Conflict', stream: name, actual: stream.revision < 0 ? 'none' : BigInt(stream.revision) })

  /** Expected an exact revision below the present one: a repeat if the same ids stand there, in order. */
  const repeated = (
    stream: Stream,
    after: number,
    events: readonly EncodedEvent[],
  ): Appended | 'new' | 'mixed' => {
    let position = -1
    for (const [i, event] of events.entries()) {
      const found = idAt.get(stream.id, after + 1 + i)
      if (found?.[0] !== event.id) return i === 0 ? 'new' : 'mixed'
      position = found[1]
    }
    return { revision: BigInt(after + events.length), position: BigInt(position) }
  }

  /** Are the ids already in the stream, wherever? */
  const known = (stream: Stream, events: readonly EncodedEvent[]): Appended | 'new' | 'mixed' => {
    let last: Appended | undefined
    for (const [i, event] of events.entries()) {
      const found = findId.get(stream.id, event.id)
      if (!found) return i === 0 ? 'new' : 'mixed'
      if (!last || BigInt(found[0]) > last.revision)
        last = { revision: BigInt(found[0]), position: BigInt(found[1]) }
    }
    return last ?? 'new'
  }

  const append: Append = (name, expected, events) => {
    const stream = streamOf(name)
    if (
      stream.state === tombstoned ||
      (isMetastream(name) && streamOf(originalOf(name)).state === tombstoned)
    )
      return left({ kind: 'StreamDeleted', stream: name })
    if (expected === 'exists') {
      if (stream.state === softDeleted) return left({ kind: 'StreamDeleted', stream: name })
      if (stream.revision < 0 && metadataOf(name) === undefined) return conflict(name, stream)
    }
    if (expected === 'any' || expected === 'exists') {
      const repeat = stream.revision < 0 ? 'new' : known(stream, events)
      if (repeat === 'mixed') return conflict(name, stream)
      return right(repeat === 'new' ? write(name, stream, events) : repeat)
    }
    const believed = expected === 'none' ? -1 : Number(expected)
    if (believed === stream.revision) return right(write(name, stream, events))
    if (believed > stream.revision || events.length === 0) return conflict(name, stream)
    const repeat = repeated(stream, believed, events)
    if (repeat === 'new' && expected === 'none' && stream.state === softDeleted)
      return right(write(name, stream, events))
    return typeof repeat === 'string' ? conflict(name, stream) : right(repeat)
  }

  return {
    append,
    /** After a constraint error at an exact revision: success again if every id stands in the stream, else a conflict. */
    settleRepeat: (name: string, events: readonly EncodedEvent[]): Either<AppendFailure, Appended> => {
      const stream = streamOf(name)
      const repeat = known(stream, events)
      return typeof repeat === 'string' ? conflict(name, stream) : right(repeat)
    },
    keepLatest: (name: string, count: number): Either<never, void> => {
      setMaxCount.run(name, categoryOf(name), count)
      return right(undefined)
    },
    deleteStream: (
      name: string,
      expected: Expected,
      mode: 'soft' | 'tombstone',
    ): Either<AppendFailure, void> => {
      const stream = streamOf(name)
      if (stream.state === tombstoned || (stream.state === softDeleted && mode === 'soft'))
        return left({ kind: 'StreamDeleted', stream: name })
      const fits =
        expected === 'any' ||
        (expected === 'exists' && stream.revision >= 0) ||
        (expected === 'none' && stream.revision < 0) ||
        (typeof expected === 'bigint' && expected === BigInt(stream.revision))
      if (!fits) return conflict(name, stream)
      if (stream === noStream && mode === 'soft') return right(undefined)
      const state = mode === 'soft' ? softDeleted : tombstoned
      if (stream === noStream) addDeleted.run(name, categoryOf(name), state)
      else setState.run(state, stream.revision + 1, stream.id)
      return right(undefined)
    },
  }
}
