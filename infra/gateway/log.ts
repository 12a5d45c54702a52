import type { DatabaseSync } from 'node:sqlite'
import type { EventRow } from '../event-store/sqlite/event-row.ts'
import { type Query, query } from '../sqlite/query.ts'
import { createViewFinder, type StreamView } from './stream-view.ts'

export type Direction = 'forward' | 'backward'

/** A part of the log, bounded in rows and in characters: whatever a log holds, a reader's memory stays flat. */
export interface Page {
  readonly rows: readonly EventRow[]
  /** Nothing more is there. */
  readonly end: boolean
}

const maxRows = 256
const maxCharacters = 1024 * 1024

const columns = 'e.revision, e.id, e.type, e.recorded_at, e.data, e.metadata, e.encoding'

export const createLogReader = (db: DatabaseSync, clock: () => number) => {
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

  return {
    /** Position of the last event; 0 for an empty log: positions begin at 1. */
    head: (): number => headPosition.get()?.[0] ?? 0,

    view: createViewFinder(db, clock),

    /** Revisions `low` to `high`, both inclusive. */
    ofStream: (view: StreamView, direction: Direction, low: number, high: number, limit: number): Page =>
      readPage(streamQueries[direction], limit, [
        view.name,
        view.id,
        Math.max(low, view.first),
        high,
        view.notBefore,
      ]),

    /** Positions `low` to `high`, both inclusive. */
    ofAll: (direction: Direction, low: number, high: number, limit: number): Page =>
      readPage(allQueries[direction], limit, [low, high]),
  }
}

export type LogReader = ReturnType<typeof createLogReader>

const readPage = (rows: Query<EventRow>, limit: number, parameters: readonly (string | number)[]): Page => {
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
