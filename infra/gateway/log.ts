import type { DatabaseSync } from 'node:sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { EventRow } from '../event-store/sqlite/event-row.ts'
import {
  createMetadataReader,
  isMetastream,
  originalOf,
  rulesOf,
} from '../event-store/sqlite/stream-metadata.ts'
import { createStreamFinder, softDeleted, tombstoned } from '../event-store/sqlite/streams.ts'
import { type Query, query } from '../sqlite/query.ts'

export type Direction = 'forward' | 'backward'

/** The part of a stream that can be read now. */
interface StreamView {
  readonly id: number
  readonly name: string
  /** The last revision. */
  readonly last: number
  /** The first revision that still reads; above `last` where none does. */
  readonly first: number
  /** Events recorded before this time (epoch milliseconds) no longer read. */
  readonly notBefore: number
}

/** A part of the log, bounded in rows and in characters: whatever a log holds, a reader's memory stays flat. */
export interface Page {
  readonly rows: readonly EventRow[]
  /** Nothing more is there. */
  readonly end: boolean
}

const maxRows = 256
const maxCharacters = 1024 * 1024

export const createLogReader = (db: DatabaseSync, clock: () => number) => {
  const findStream = createStreamFinder(db)
  const metadataOf = createMetadataReader(db)
  const columns = 'e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding'
  const ofStream = (order: 'ASC' | 'DESC') =>
    query<EventRow>(
      db,
      `SELECT e.position, ?, ${columns} FROM events e
       WHERE e.stream_id = ? AND e.revision >= ? AND e.revision <= ? AND e.recorded_at >= ?
       ORDER BY e.revision ${order} LIMIT ?`,
    )
  const ofAll = (order: 'ASC' | 'DESC') =>
    query<EventRow>(
      db,
      `SELECT e.position, s.name, ${columns} FROM events e CROSS JOIN streams s ON s.id = e.stream_id
       WHERE e.position >= ? AND e.position <= ? ORDER BY e.position ${order} LIMIT ?`,
    )
  const streamQueries = { forward: ofStream('ASC'), backward: ofStream('DESC') }
  const allQueries = { forward: ofAll('ASC'), backward: ofAll('DESC') }
  const headPosition = query<[position: number | null]>(db, 'SELECT max(position) FROM events')

  const page = (rows: Query<EventRow>, limit: number, parameters: readonly (string | number)[]): Page => {
    const max = Math.min(limit, maxRows)
    const found: EventRow[] = []
    let characters = 0
    for (const row of rows.iterate(...parameters, max)) {
      found.push(row)
      characters += row[6].length + row[7].length
      if (characters >= maxCharacters) return { rows: found, end: false }
    }
    return { rows: found, end: found.length < max }
  }

  return {
    /** Position of the last event; 0 for an empty log: positions begin at 1. */
    head: (): number => headPosition.get()?.[0] ?? 0,

    /** `none` where there is no stream, or a soft-deleted one. */
    view: (name: string): StreamView | 'none' | 'tombstoned' => {
      if (isMetastream(name) && findStream(originalOf(name))?.state === tombstoned) return 'tombstoned'
      const stream = findStream(name)
      if (!stream) return 'none'
      const { id, revision: last, state, truncatedBefore, maxCount } = stream
      if (state === tombstoned) return 'tombstoned'
      if (state === softDeleted || last < 0) return 'none'
      // Of metadata only the newest event is read.
      const count = isMetastream(name) ? 1 : maxCount
      const rules = isMetastream(name) ? undefined : rulesOf(metadataOf(name))
      const maxAge = rules && E.isRight(rules) ? rules.right.maxAge : null
      return {
        id,
        name,
        last,
        first: Math.max(truncatedBefore, count === null ? 0 : last - count + 1),
        notBefore: maxAge === null ? 0 : clock() - maxAge * 1000,
      }
    },

    /** Revisions `low` to `high`, both inclusive. */
    ofStream: (view: StreamView, direction: Direction, low: number, high: number, limit: number): Page =>
      page(streamQueries[direction], limit, [
        view.name,
        view.id,
        Math.max(low, view.first),
        high,
        view.notBefore,
      ]),

    /** Positions `low` to `high`, both inclusive. */
    ofAll: (direction: Direction, low: number, high: number, limit: number): Page =>
      page(allQueries[direction], limit, [low, high]),
  }
}

export type LogReader = ReturnType<typeof createLogReader>
