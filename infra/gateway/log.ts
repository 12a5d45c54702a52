import type { DatabaseSync } from 'node:sqlite'
import { isRight } from 'fp-ts/lib/Either.js'
import type { EventRow } from '../event-store/sqlite/read.ts'
import { isMetastream, metadataReader, originalOf, rulesOf } from '../event-store/sqlite/stream-metadata.ts'
import { type Query, query } from '../sqlite/query.ts'

export type Direction = 'forward' | 'backward'

/** What of a stream can be read now. */
export interface StreamView {
  readonly id: number
  readonly name: string
  /** The last revision. */
  readonly last: number
  /** The first revision that still reads; above `last` where none does. */
  readonly first: number
  /** Events recorded before this time (epoch milliseconds) no longer read. */
  readonly notBefore: number
}

/** A stretch of the log, bounded in rows and in bytes: whatever a log holds, a reader's memory stays flat. */
export interface Page {
  readonly rows: readonly EventRow[]
  /** Nothing more was there. */
  readonly end: boolean
}

const mostRows = 256
const mostCharacters = 1024 * 1024

export const openLog = (db: DatabaseSync, clock: () => number) => {
  const findStream = query<
    [id: number, revision: number, state: number, truncatedBefore: number, maxCount: number | null]
  >(db, 'SELECT id, revision, state, truncated_before, max_count FROM streams WHERE name = ?')
  const metadataOf = metadataReader(db)
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
    const most = Math.min(limit, mostRows)
    const found: EventRow[] = []
    let characters = 0
    for (const row of rows.iterate(...parameters, most)) {
      found.push(row)
      characters += row[6].length + row[7].length
      if (characters >= mostCharacters) return { rows: found, end: false }
    }
    return { rows: found, end: found.length < most }
  }

  return {
    /** Position of the last event; 0 for an empty log: positions begin at 1. */
    head: (): number => headPosition.get()?.[0] ?? 0,

    /** `none` where there is no stream (or it is deleted until it is written again). */
    view: (name: string): StreamView | 'none' | 'tombstoned' => {
      if (isMetastream(name) && findStream.get(originalOf(name))?.[2] === 2) return 'tombstoned'
      const stream = findStream.get(name)
      if (!stream) return 'none'
      const [id, last, state, truncatedBefore, maxCount] = stream
      if (state === 2) return 'tombstoned'
      if (state === 1 || last < 0) return 'none'
      // Of metadata the last word alone is read.
      const count = isMetastream(name) ? 1 : maxCount
      const rules = isMetastream(name) ? undefined : rulesOf(metadataOf(name))
      const maxAge = rules && isRight(rules) ? rules.right.maxAge : null
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

export type Log = ReturnType<typeof openLog>
