import type { DatabaseSync } from 'node:sqlite'
import type { Moment, Point } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'

/*
 * Some of the events that a generation was folded from, with the time up to them: whoever asks as of a time, or a position, reads
 * the log from the last of them on, and few events. `before` is the position of the event before it: nothing lies between two of which
 * the second one names the first.
 */

const schema = `
  CREATE TABLE IF NOT EXISTS moment (
    generation INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    time       TEXT NOT NULL,
    before     INTEGER NOT NULL,
    PRIMARY KEY (generation, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS moment_time ON moment (generation, time, position);
  CREATE TABLE IF NOT EXISTS newest_moment (
    generation INTEGER PRIMARY KEY,
    position   INTEGER NOT NULL,
    time       TEXT NOT NULL,
    before     INTEGER NOT NULL
  ) STRICT;
`

export type KeptMoment = [position: number, time: string, before: number]

export const ensureMomentTables = (db: DatabaseSync): void => db.exec(schema)

export const createMoments = (db: DatabaseSync) => {
  const last = (column: 'time' | 'position') =>
    query<KeptMoment>(
      db,
      `SELECT position, time, before FROM moment WHERE generation = ? AND ${column} <= ? ORDER BY ${column} DESC, position DESC LIMIT 1`,
    )
  const byTime = last('time')
  const byPosition = last('position')
  const newest = query<KeptMoment>(
    db,
    'SELECT position, time, before FROM newest_moment WHERE generation = ?',
  )
  const next = query<KeptMoment>(
    db,
    'SELECT position, time, before FROM moment WHERE generation = ? AND position > ? ORDER BY position LIMIT 1',
  )
  const forget = ['moment', 'newest_moment'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE generation = ?`),
  )
  return {
    /** The last one kept at or before a point; `folded`: up to where the generation is folded. */
    moment: (generation: number, point: Point, folded: bigint): Moment => {
      const end = newest.get(generation)
      if (!end) return { ...none, next: folded }
      if (isUpTo(end, point)) return { position: BigInt(end[0]), time: end[1], next: folded }
      const kept =
        'time' in point ? byTime.get(generation, point.time) : byPosition.get(generation, point.position)
      // The first event of all is kept.
      if (!kept) return none
      const [position, time] = kept
      const behind = next.get(generation, position) ?? end
      return { position: BigInt(position), time, next: behind[2] === position ? undefined : BigInt(position) }
    },
    forgetMoments: (generation: number): void => {
      for (const statement of forget) statement.run(generation)
    },
  }
}

const none: Moment = { position: -1n, time: null, next: undefined }

const isUpTo = ([position, time]: KeptMoment, point: Point): boolean =>
  'time' in point ? time <= point.time : BigInt(position) <= point.position
