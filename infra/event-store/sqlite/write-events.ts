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
  const addStream = db.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, ?)')
  const moveStream = db.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const reopenStream = db.prepare(
    'UPDATE streams SET revision = ?, state = 0, truncated_before = ? WHERE id = ?',
  )
  const addEvent = db.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata, encoding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const dropOldest = db.prepare('DELETE FROM events WHERE stream_id = ? AND revision <= ?')
  const lastTime = query<[recordedAt: number]>(
    db,
    'SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1',
  )
  const metadataOf = createMetadataReader(db)
  const applyMetadata = createMetadataFold(db, findStream, metadataOf)

  /** The log's time never runs backward, whatever the machine's clock does. */
  const now = (): number => Math.max(clock(), lastTime.get()?.[0] ?? 0)

  const write: WriteEvents = (name, stream, events) => {
    const revision = stream.revision + events.length
    if (events.length === 0) return { revision: BigInt(stream.revision), position: -1n }
    let { id } = stream
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

  /** Metadata that call the stream deleted say from now on that it begins at `from`. */
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

/** Brings the columns of a stream up to its newest metadata. */
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
