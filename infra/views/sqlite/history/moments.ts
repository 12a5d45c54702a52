import type { DatabaseSync } from 'node:sqlite'
import type { BeginEvent, Moment, Point } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'

/*
 * Moments: some of the events that a generation was folded from, each with the latest time up to it. To resolve a time or a
 * position, few events of the log are read, from the last moment before it. `before` is the position of the previous
 * event: nothing lies between two moments if the second one names the first.
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

type KeptMoment = [position: number, time: string, before: number]

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
    /** Returns the last moment at or before a point; `folded`: up to where the generation is folded. */
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
    dropMoments: (generation: number): void => {
      for (const statement of forget) statement.run(generation)
    },
  }
}

const none: Moment = { position: -1n, time: null, next: undefined }

const isUpTo = ([position, time]: KeptMoment, point: Point): boolean =>
  'time' in point ? time <= point.time : BigInt(position) <= point.position

/** Most events, and most positions, between two stored moments. */
const maxEvents = 32
const maxPositions = 2048

/** Stores moments while a generation with history is folded. */
export interface MomentWriter {
  /** Begins an event. Stores some of the moments. */
  readonly begin: BeginEvent
  /** Begins changes that belong to no event, but count as one at `position`. */
  start(position: bigint): void
  /** Returns the position of the event that is folded. */
  position(): number
  /** Must be called before the transaction ends. */
  flush(): void
}

export const createMomentWriter = (db: DatabaseSync, generation: number): MomentWriter => {
  const keep = db.prepare('INSERT OR IGNORE INTO moment VALUES (?, ?, ?, ?)')
  const keepNewest = db.prepare('INSERT OR REPLACE INTO newest_moment VALUES (?, ?, ?, ?)')
  let newest = query<KeptMoment>(
    db,
    'SELECT position, time, before FROM newest_moment WHERE generation = ?',
  ).get(generation)
  let now = -1
  let kept = -1
  // The number of events since the last stored moment is unknown: the next one is stored.
  let events = maxEvents
  let isChanged = false

  const keepOne = (moment: KeptMoment): void => {
    keep.run(generation, ...moment)
    kept = moment[0]
    events = 0
  }

  return {
    begin: ({ position, recordedAt }) => {
      now = numberOf(position)
      const time = newest && newest[1] > recordedAt ? newest[1] : recordedAt
      const next: KeptMoment = [now, time, newest?.[0] ?? -1]
      events++
      if (events >= maxEvents || now - kept >= maxPositions) {
        if (newest && newest[0] !== kept) keepOne(newest)
        keepOne(next)
      }
      newest = next
      isChanged = true
    },
    start: (position) => {
      now = numberOf(position)
    },
    position: () => now,
    flush: () => {
      if (newest && isChanged) keepNewest.run(generation, ...newest)
      isChanged = false
    },
  }
}

const numberOf = (position: bigint): number => {
  const number = Number(position)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`position ${position} is too large for a view that keeps its history`)
}
