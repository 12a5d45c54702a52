import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Database } from '../../sqlite/database.ts'
import { unavailable, WriterAway } from '../../sqlite/write-failures.ts'

/** An error of SQLite is a failure, any other a bug. A closed file is ERR_INVALID_STATE. */
export const tryRead =
  <A>(work: () => A): TaskEither<BrokerFailure, A> =>
  async () => {
    try {
      return E.right(work())
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE') return E.left(unavailable(error))
      throw error
    }
  }

/** Runs the work in the next group commit. `WriterAway` is a failure, any other error a bug. */
export const tryWrite =
  <A>({ commit }: Database, work: () => A): TaskEither<BrokerFailure, A> =>
  async () => {
    try {
      return E.right(await commit.submit(work))
    } catch (error) {
      if (error instanceof WriterAway) return E.left(unavailable(error))
      throw error
    }
  }
