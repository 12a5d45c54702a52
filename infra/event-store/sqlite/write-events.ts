import type { DatabaseSync } from 'node:sqlite'
import { categoryOf } from '../../../src/domain/kernel/event.ts'
import type { Appended } from '../../../src/ports/event-store.ts'
import { query } from '../../sqlite/query.ts'
import type { EncodedEvent } from './encoding.ts'
import {
  createMetadataEvent,
  createMetadataReader,
  isMetastream,
  metastreamOf,
  originalOf,
  rulesOf,
} from './stream-metadata.ts'
import { type FindStream, open, type Stream, softDeleted, tombstoned } from './streams.ts'

/** Stands for a stream that has no row. */
export const noStream: Stream = { id: 0, revision: -1, state: open, truncatedBefore: 0, maxCount: null }

export interface LogEnd {
  /** Position of the last event; -1 if there is none. */
  readonly position: number
  /** Epoch milliseconds: the log's time never runs backward, whatever the machine's clock does. */
  readonly at: number
}

interface EventWriter {
  /** Returns the end of the log, with the time of events written now. Must be called in a transaction. */
  end(): LogEnd
  /** Appends to a stream, unconditionally. */
  write(name: string, stream: Stream, events: readonly EncodedEvent[], at: number): Appended
  /**
   * Writes the first events of a stream that is no metastream, without a query for it. Returns undefined if it has a
   * row already.
   */
  writeFirst(name: string, events: readonly EncodedEvent[], at: number): Appended | undefined
}

export const createEventWriter = (
  db: DatabaseSync,
  clock: () => number,
  findStream: FindStream,
): EventWriter => {
  const { add, moveTo } = createRevisionWriter(db)
  const insert = createEventInsert(db)
  const last = query<[position: number, recordedAt: number]>(
    db,
    'SELECT position, recorded_at FROM events ORDER BY position DESC LIMIT 1',
  )
  const dropOldest = db.prepare('DELETE FROM events WHERE stream_id = ? AND revision <= ?')
  const metadataOf = createMetadataReader(db)
  const applyMetadata = createMetadataFold(db, findStream, metadataOf)

  const write: EventWriter['write'] = (name, stream, events, at) => {
    if (events.length === 0) return { revision: BigInt(stream.revision), position: -1n }
    const revision = stream.revision + events.length
    const id = moveTo(name, stream, revision)
    const position = insert(id, stream.revision, events, at)
    if (stream.maxCount !== null) dropOldest.run(id, revision - stream.maxCount)
    if (stream.state === softDeleted) undelete(name, stream.revision + 1, at)
    if (isMetastream(name)) applyRules(originalOf(name), at)
    return { revision: BigInt(revision), position: BigInt(position) }
  }

  /** Applies new metadata. Those of a soft-deleted stream open it again; its old events stay deleted. */
  const applyRules = (name: string, at: number): void => {
    const stream = findStream(name) ?? noStream
    const metadata = metadataOf(name)
    const { deleted, truncateBefore } = rulesOf(metadata)
    const isOpened = stream.state === softDeleted && !deleted && truncateBefore <= stream.revision
    if (isOpened) beginAt(name, metadata, stream.revision + 1, at)
    else applyMetadata(name)
  }

  /** If a stream's metadata mark it as deleted, writes new ones that make it begin at `from`. */
  const undelete = (name: string, from: number, at: number): void => {
    const metadata = metadataOf(name)
    if (rulesOf(metadata).deleted) beginAt(name, metadata, from, at)
  }

  const beginAt = (name: string, metadata: unknown, from: number, at: number): void => {
    const metastream = metastreamOf(name)
    const kept = typeof metadata === 'object' && !Array.isArray(metadata) ? metadata : {}
    const event = createMetadataEvent(JSON.stringify({ ...kept, $tb: from }))
    write(metastream, findStream(metastream) ?? noStream, [event], at)
  }

  return {
    end: () => {
      const [position, at] = last.get() ?? [-1, 0]
      return { position, at: Math.max(clock(), at) }
    },
    write,
    writeFirst: (name, events, at) => {
      const revision = events.length - 1
      const id = add(name, revision)
      if (id === undefined) return undefined
      return { revision: BigInt(revision), position: BigInt(insert(id, -1, events, at)) }
    },
  }
}

/** Writes the last revisions of streams. Both functions return the id of the stream's row. */
const createRevisionWriter = (db: DatabaseSync) => {
  const insert = db.prepare(
    'INSERT INTO streams (name, category, revision) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
  )
  const move = db.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const reopen = db.prepare('UPDATE streams SET revision = ?, state = 0, truncated_before = ? WHERE id = ?')
  /** Returns undefined if the stream has a row. */
  const add = (name: string, revision: number): number | undefined => {
    const { changes, lastInsertRowid } = insert.run(name, categoryOf(name), revision)
    return changes === 0 ? undefined : Number(lastInsertRowid)
  }
  return {
    add,
    /** Adds a row for a new stream, and opens a soft-deleted one again. */
    moveTo: (name: string, stream: Stream, revision: number): number => {
      if (stream === noStream) return add(name, revision)!
      if (stream.state === softDeleted) reopen.run(revision, stream.revision + 1, stream.id)
      else move.run(revision, stream.id)
      return stream.id
    },
  }
}

/** Inserts events behind a revision; returns the position of the last. */
const createEventInsert = (db: DatabaseSync) => {
  const add = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return (streamId: number, after: number, events: readonly EncodedEvent[], at: number): number | bigint => {
    let position: number | bigint = 0
    let revision = after
    for (const { id, type, data, metadata, encoding } of events)
      position = add.run(streamId, ++revision, id, type, at, data, metadata, encoding).lastInsertRowid
    return position
  }
}

/** Sets the columns of a stream by its newest metadata. */
const createMetadataFold = (
  db: DatabaseSync,
  findStream: FindStream,
  metadataOf: (name: string) => unknown,
) => {
  const setRules = db.prepare(
    `INSERT INTO streams (name, category, revision, max_count, truncated_before, state) VALUES (?, ?, -1, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       max_count = excluded.max_count, truncated_before = excluded.truncated_before, state = excluded.state`,
  )
  return (name: string): void => {
    const { maxCount, truncateBefore, deleted } = rulesOf(metadataOf(name))
    const stream = findStream(name) ?? noStream
    if (stream.state === tombstoned) return
    const from = deleted ? stream.revision + 1 : truncateBefore
    setRules.run(name, categoryOf(name), maxCount, from, deleted ? softDeleted : open)
  }
}
