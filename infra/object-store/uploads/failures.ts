import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../../src/ports/unavailable.ts'
import type { UploadRefused } from '../../../src/ports/upload-area.ts'
import { failureOf, reasonOf } from '../../content/s3/failure.ts'
import { S3Error } from '../../s3/errors.ts'

export const attempt =
  <A>(work: () => Promise<A>): TaskEither<Unavailable, A> =>
  async () => {
    try {
      return right(await work())
    } catch (error) {
      return left(unavailable(error))
    }
  }

/** Throws what is no failure of the bucket. */
const unavailable = (error: unknown): Unavailable => {
  if (!(error instanceof S3Error)) throw error
  return { kind: 'Unavailable', reason: reasonOf(error) }
}

export const unlessTaken = (path: string, error: unknown): Unavailable | UploadRefused => {
  const failure = error instanceof S3Error ? failureOf(path, error) : undefined
  return failure?.kind === 'Refused' ? { kind: 'Refused', reason: failure.reason } : unavailable(error)
}
