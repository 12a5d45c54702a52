import type { DatabaseSync } from 'node:sqlite'
import type { BeginEvent } from '../../../../src/ports/view-store.ts'
import { query } from '../../../sqlite/query.ts'
import type { KeptMoment } from './moments.ts'

/** Most events, and most positions, between two stored moments. */
const maxEvents = 32
const maxPositions = 2048

/** The position and time of a generation while it is folded, for views that keep history. */
export interface PastClock {
  /** Begins an event. Stores some of the moments. */
  readonly begin: BeginEvent
  /** Begins changes that belong to no event, but count as one at `position`. */
  start(position: bigint): void
  /** Returns the position of the event that is folded. */
  position(): number
  /** Must be called before the transaction ends. */
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
