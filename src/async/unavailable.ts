import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BrokerFailure } from '../ports/broker-failure.ts'
import type { AppendFailure, Contended, ReadFailure } from '../ports/event-store.ts'
import type { Unavailable } from '../ports/unavailable.ts'

/**
 * `Unavailable` as an error, for code that returns no Either. Whoever delivers the work pauses and delivers it again:
 * nothing is skipped.
 */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError'
}

/** Another process is writing, which mostly ends soon. */
export class LockedError extends UnavailableError {
  override readonly name = 'LockedError'
}

/** A retry changes nothing before a person has acted. */
export class DeniedError extends UnavailableError {
  override readonly name = 'DeniedError'
}

type Failure = AppendFailure | ReadFailure | BrokerFailure | Contended

/** Returns why something failed, as a sentence for a person. */
export const reasonOf = (failure: Failure): string => {
  switch (failure.kind) {
    case 'UnknownTopic':
      return `there is no topic ${failure.topic}`
    case 'TooLarge':
      return `it takes ${failure.bytes} bytes, the limit is ${failure.limit}`
    case 'StreamDeleted':
      return `${failure.stream} is permanently deleted`
    case 'Conflict':
      return `${failure.stream} was written by another writer`
    case 'Contended':
      return `${failure.stream}: other writers were faster ${failure.tries} times`
    case 'Forbidden':
    case 'Refused':
    case 'Unavailable':
      return failure.reason
  }
}

/** Returns the value, or throws `UnavailableError` for any failure; `doing` begins its message. */
export const orThrow = async <A>(task: TE.TaskEither<Failure, A>, doing?: string): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw unavailable(result.left, doing)
  return result.right
}

export const unavailable = (failure: Failure, doing?: string): UnavailableError => {
  const isDenied = failure.kind === 'Forbidden' || (failure.kind === 'Unavailable' && failure.denied === true)
  const message = doing === undefined ? reasonOf(failure) : `${doing}: ${reasonOf(failure)}`
  return isDenied ? new DeniedError(message) : new UnavailableError(message)
}

/** The reverse: returns `UnavailableError` as a value; other errors of the work are thrown. */
export const tryUnavailable =
  <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (error) {
      if (error instanceof DeniedError)
        return E.left({ kind: 'Unavailable', reason: error.message, denied: true })
      if (error instanceof UnavailableError) return E.left({ kind: 'Unavailable', reason: error.message })
      throw error
    }
  }

/** Replaces the failure of a deleted stream by a value. */
export const ifDeleted =
  <B>(instead: B) =>
  <F extends Failure, A>(task: TE.TaskEither<F, A>): TE.TaskEither<F, A | B> =>
    TE.orElseW((failure: F) => (failure.kind === 'StreamDeleted' ? TE.right(instead) : TE.left(failure)))(
      task,
    )
