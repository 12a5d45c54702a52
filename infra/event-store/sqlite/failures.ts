import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../../src/ports/unavailable.ts'
import { isDamage } from '../../sqlite/errors.ts'
import { unavailable, WriterAway } from '../../sqlite/write-failures.ts'
import { damaged } from './damage.ts'
import { DamagedEvents } from './event-row.ts'

/** A sentence about what reading a log's file threw. */
export const readReason = (file: string, error: unknown): string => {
  const { message } = error as Error
  return isDamage(error) || error instanceof DamagedEvents ? damaged(file, message) : message
}

export const tryRead =
  <A>(file: string, work: () => A): TE.TaskEither<Unavailable, A> =>
  async () =>
    E.tryCatch(work, (error) => ({ kind: 'Unavailable', reason: readReason(file, error) }))

/** `WriterAway` is a failure; what else is thrown is a bug. */
export const tryWrite =
  <F, A>(work: () => Promise<E.Either<F, A>>): TE.TaskEither<F | Unavailable, A> =>
  () =>
    work().catch((error: unknown) => {
      if (error instanceof WriterAway) return E.left(unavailable(error))
      throw error
    })

/** Fails where there is a reason to. */
export const unless =
  (reasonNotTo: () => Promise<string | undefined>): TE.TaskEither<Unavailable, void> =>
  async () => {
    const reason = await reasonNotTo()
    return reason === undefined ? E.right(undefined) : E.left({ kind: 'Unavailable', reason })
  }
