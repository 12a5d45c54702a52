import type { DatabaseSync } from 'node:sqlite'
import type { BeginEvent } from '../../../src/ports/view-store.ts'
import { query } from '../../sqlite/query.ts'
import type { KeptMoment } from './moments.ts'

/** Most events, and most positions, between two moments that are kept. */
const maxEvents = 32
const maxPositions = 2048

/** Where a generation stands while it is folded, for views that keep their past. */
export interface PastClock {
  /** Keeps a moment now and then. */
  readonly begin: BeginEvent
  /** Changes come that are of no event, but count as one at `position`. */
  start(position: bigint): void
  /** Of the event whose changes come. */
  position(): number
  /** To be called before the transaction ends. */
  flush(): void
}

export const createPastClock = (db: DatabaseSync, generation: number): PastClock => {
  const keep = db.prepare('INSERT OR IGNORE INTO moment VALUES (?, ?, ?, ?)')
  const keepNewest = db.prepare('INSERT OR REPLACE INTO newest_moment VALUES (?, ?, ?, ?)')
  let newest = query<KeptMoment>(
    db,
    'SELECT position, time, before FROM newest_moment WHERE generation = ?',
  ).get(generation)
  let now = -1
  let kept = -1
  // How many came since the last one that was kept is not known: the next one is kept.
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
  throw new RangeError(`position ${position} is too large for a view that keeps its past`)
}
