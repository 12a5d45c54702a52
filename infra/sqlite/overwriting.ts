import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { query } from './query.ts'

/** Deleted bytes are overwritten with zeros meanwhile, also in pages that are free then: `FAST` leaves those. */
export const overwriting = <A>(db: DatabaseSync, work: () => A): A => {
  db.exec('PRAGMA secure_delete = ON')
  try {
    return work()
  } finally {
    db.exec('PRAGMA secure_delete = FAST')
  }
}

/** Tries before it is said that others still read. */
const maxTries = 50
const waitMillis = 100

/** Empties the write-ahead log, which has what was written before. Rejects with `UnavailableError` while others read that. */
export const cutWriteAheadLog = async (db: DatabaseSync, still: string): Promise<void> => {
  const cut = query<[busy: number]>(db, 'PRAGMA wal_checkpoint(TRUNCATE)')
  for (let tries = 0; cut.get()?.[0] !== 0; tries++) {
    if (tries === maxTries) throw new UnavailableError(still)
    await sleep(waitMillis)
  }
}
