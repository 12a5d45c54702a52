import * as either from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ContentFailure } from '../../../src/ports/content-store.ts'
import { S3Error } from '../../s3/errors.ts'
import { Failed } from '../failed.ts'

/** Runs requests about one path. Failures of requests become those of content; any other error is a bug. */
export const attempt =
  <A>(path: string, work: () => Promise<A>): TaskEither<ContentFailure, A> =>
  async () => {
    try {
      return either.right(await work())
    } catch (error) {
      if (error instanceof Failed) return either.left(error.failure)
      if (error instanceof S3Error) return either.left(failureOf(path, error))
      throw error
    }
  }

/**
 * A bucket that does not answer, or refuses the keys, is `Unreadable` and no failure of the machine: other stores can be
 * read. Only `NoSuchKey` is content that is missing. A 404 without a code may be a bucket's or a proxy's: whoever gets one
 * asks again in a way that is answered with a code.
 */
export const failureOf = (path: string, error: S3Error): ContentFailure => {
  const { status, code } = error
  if (code === 'NoSuchKey' || code === 'NoSuchVersion')
    return { kind: 'NotFound', path, ...(error.isDeleteMarker && { isMarked: true }) }
  if (status === 412) return { kind: 'Changed', path }
  return { kind: refusals.has(code) ? 'Refused' : 'Unreadable', path, reason: reasonOf(error) }
}

/** For a person, with what to do. */
export const reasonOf = ({ code, message, status }: S3Error): string => {
  const advice = advices[code] ?? (status === 403 ? denied : status >= 500 ? busy : undefined)
  return advice === undefined ? message : `${message}; ${advice}`
}

/** Failures that recur at every attempt. */
const refusals = new Set([
  'ExistingObjectIsDirectory',
  'InvalidObjectState',
  'InvalidURI',
  'KeyTooLongError',
  'MethodNotAllowed',
])

const denied = 'allow it in the policy of the bucket or of the user whose keys Fonds has'
const busy = 'the storage could not answer; check its health, then try again'
const checkKeys = 'check the keys that Fonds has for this bucket'

const advices: Readonly<Record<string, string>> = {
  AccessDenied: denied,
  ExpiredToken: 'renew the credentials',
  InvalidAccessKeyId: checkKeys,
  InvalidObjectState: 'it is archived; restore it, then read it again',
  NoSuchBucket: 'create the bucket, or name the one that has the content',
  RequestTimeTooSkewed: "set this machine's clock right",
  SignatureDoesNotMatch: checkKeys,
}
