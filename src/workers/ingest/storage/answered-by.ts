import * as E from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../../async/unavailable.ts'
import type { ObjectStoreFailure } from '../../../ports/object-store.ts'

/** Returns the answer of storage. Throws `UnavailableError` for a failure. */
export const answeredBy = <A>(answer: E.Either<ObjectStoreFailure, A>): A => {
  if (E.isRight(answer)) return answer.right
  throw new UnavailableError(describeStorageFailure(answer.left))
}

export const describeStorageFailure = (failure: ObjectStoreFailure): string =>
  'reason' in failure
    ? `storage: ${failure.reason}`
    : `storage holds version ${failure.head} of ${failure.object}`
