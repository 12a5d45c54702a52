import type { DatabaseSync } from 'node:sqlite'
import { isBusy } from './errors.ts'

type Outcome<A> =
  | { readonly kind: 'committed'; readonly result: A }
  /** Rolled back. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Not begun: another process is writing. */
  | { readonly kind: 'locked' }

/** Runs work in a transaction of its own: all of it is on disk, or none. */
export const createTransaction = (db: DatabaseSync): (<A>(work: () => A) => Outcome<A>) => {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  return (work) => {
    try {
      begin.run()
    } catch (error) {
      return isBusy(error) ? { kind: 'locked' } : { kind: 'failed', error }
    }
    try {
      const result = work()
      commit.run()
      return { kind: 'committed', result }
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      return { kind: 'failed', error }
    }
  }
}
