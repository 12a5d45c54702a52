import type { DatabaseSync } from 'node:sqlite'
import type { Appended } from '../../../src/ports/event-store.ts'
import { query } from '../../sqlite/query.ts'
import type { EncodedEvent } from './encoding.ts'
import type { Stream } from './streams.ts'

/** Where the stream holds the events of an append already; `new` where not the first, `mixed` where not a later one. */
export type Repeat = Appended | 'new' | 'mixed'

const SQLITE_CONSTRAINT_UNIQUE = 2067

/** True for SQLite's error about an id that is already in the stream. */
export const isKnownId = (error: unknown): boolean =>
  (error as { errcode?: number }).errcode === SQLITE_CONSTRAINT_UNIQUE && String(error).includes('events.id')

/** Recognizes an append that was written before, by the ids of its events. */
export const createRepeatFinder = (db: DatabaseSync) => {
  const idAt = query<[id: string, position: number]>(
    db,
    'SELECT id, position FROM events WHERE stream_id = ? AND revision = ?',
  )
  const findId = query<[revision: number, position: number]>(
    db,
    `SELECT revision, position FROM events INDEXED BY events_by_id
       WHERE stream_id = ?1 AND id = ?2 AND encoding = 0
     UNION ALL
     SELECT revision, position FROM events INDEXED BY foreign_events_by_id
       WHERE stream_id = ?1 AND id = ?2 AND encoding <> 0
     ORDER BY revision DESC LIMIT 1`,
  )
  return {
    /** Right behind a revision, in order. */
    after: (stream: Stream, revision: number, events: readonly EncodedEvent[]): Repeat => {
      let position = -1
      for (const [i, event] of events.entries()) {
        const found = idAt.get(stream.id, revision + 1 + i)
        if (found?.[0] !== event.id) return i === 0 ? 'new' : 'mixed'
        position = found[1]
      }
      return { revision: BigInt(revision + events.length), position: BigInt(position) }
    },

    /** Anywhere in the stream. */
    anywhere: (stream: Stream, events: readonly EncodedEvent[]): Repeat => {
      let last: Appended | undefined
      for (const [i, event] of events.entries()) {
        const found = findId.get(stream.id, event.id)
        if (!found) return i === 0 ? 'new' : 'mixed'
        if (!last || BigInt(found[0]) > last.revision)
          last = { revision: BigInt(found[0]), position: BigInt(found[1]) }
      }
      return last ?? 'new'
    },
  }
}
