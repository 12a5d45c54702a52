import type { DatabaseSync } from 'node:sqlite'
import { query } from '../../sqlite/query.ts'

/** `state` of a row of `streams`. */
export const open = 0
export const softDeleted = 1
export const tombstoned = 2

/** `max_count` of a stream that may have lost old events, and drops none any more. */
export const keepsAll = Number.MAX_SAFE_INTEGER

/** A row of `streams`. */
export interface Stream {
  readonly id: number
  /** Revision of the newest event; -1 if there is none. */
  readonly revision: number
  readonly state: number
  /** Events below this revision no longer read. */
  readonly truncatedBefore: number
  /** Only so many of the newest events are kept; null for all. */
  readonly maxCount: number | null
}

export type FindStream = (name: string) => Stream | undefined

export const createStreamFinder = (db: DatabaseSync): FindStream => {
  const find = query<
    [id: number, revision: number, state: number, truncatedBefore: number, maxCount: number | null]
  >(db, 'SELECT id, revision, state, truncated_before, max_count FROM streams WHERE name = ?')
  return (name) => {
    const row = find.get(name)
    return row && { id: row[0], revision: row[1], state: row[2], truncatedBefore: row[3], maxCount: row[4] }
  }
}
