import type { DatabaseSync } from 'node:sqlite'
import { isRight } from 'fp-ts/lib/Either.js'
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

type WriteEvents = (name: string, stream: Stream, events: readonly EncodedEvent[]) => Appended

/** Writes events behind the newest of a stream, unconditionally. */
export const createEventWriter = (
  db: DatabaseSync,
  clock: () => number,
  findStream: FindStream,
): WriteEvents => {
  const moveTo = createRevisionWriter(db)
  const insert = createEventInsert(db, clock)
  const dropOldest = db.prepare('DELETE FROM events WHERE stream_id = ? AND revision <= ?')
  const metadataOf = createMetadataReader(db)
  const applyMetadata = createMetadataFold(db, findStream, metadataOf)

  const write: WriteEvents = (name, stream, events) => {
    if (events.length === 0) return { revision: BigInt(stream.revision), position: -1n }
    const revision = stream.revision + events.length
    const id = moveTo(name, stream, revision)
    const position = insert(id, stream.revision, events)
    if (stream.maxCount !== null) dropOldest.run(id, revision - stream.maxCount)
    if (stream.state === softDeleted) undelete(name, stream.revision + 1)
    if (isMetastream(name)) applyMetadata(originalOf(name))
    return { revision: BigInt(revision), position: BigInt(position) }
  }

  /** Where a stream's metadata say that it is deleted, new ones say that it begins at `from`. */
  const undelete = (name: string, from: number): void => {
    const metadata = metadataOf(name)
    const rules = rulesOf(metadata)
    if (!isRight(rules) || !rules.right.deleted) return
    const metastream = metastreamOf(name)
    write(metastream, findStream(metastream) ?? noStream, [
      createMetadataEvent(JSON.stringify({ ...(metadata as object), $tb: from })),
    ])
  }

  return write
}

/** Sets a stream's last revision, and returns the id of its row: a new stream gets one, a soft-deleted one is opened again. */
const createRevisionWriter = (db: DatabaseSync) => {
  const add = db.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, ?)')
  const move = db.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const reopen = db.prepare('UPDATE streams SET revision = ?, state = 0, truncated_before = ? WHERE id = ?')
  return (name: string, stream: Stream, revision: number): number => {
    if (stream === noStream) return Number(add.run(name, categoryOf(name), revision).lastInsertRowid)
    if (stream.state === softDeleted) reopen.run(revision, stream.revision + 1, stream.id)
    else move.run(revision, stream.id)
    return stream.id
  }
}

/** Inserts events behind a revision, all with one time; returns the position of the last. */
const createEventInsert = (db: DatabaseSync, clock: () => number) => {
  const add = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const lastTime = query<[recordedAt: number]>(
    db,
    'SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1',
  )
  return (streamId: number, after: number, events: readonly EncodedEvent[]): number | bigint => {
    // The log's time never runs backward, whatever the machine's clock does.
    const at = Math.max(clock(), lastTime.get()?.[0] ?? 0)
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
    const rules = rulesOf(metadataOf(name))
    const stream = findStream(name) ?? noStream
    if (!isRight(rules) || stream.state === tombstoned) return
    const { maxCount, truncateBefore, deleted } = rules.right
    const from = deleted ? stream.revision + 1 : truncateBefore
    setRules.run(name, categoryOf(name), maxCount, from, deleted ? softDeleted : open)
  }
}
