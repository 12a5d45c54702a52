import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { clip } from '../../src/domain/kernel/clip.ts'
import type { Expected } from '../../src/ports/event-store.ts'

/** Why a call failed. */
export type CallFailure =
  | {
      readonly kind: 'Conflict'
      readonly stream: string
      readonly expected: Expected
      readonly actual: bigint | 'none'
    }
  | { readonly kind: 'StreamDeleted'; readonly stream: string }
  | { readonly kind: 'TooLarge'; readonly limit: number }
  | { readonly kind: 'AccessDenied'; readonly reason: string }
  | { readonly kind: 'Invalid'; readonly reason: string }
  | { readonly kind: 'Unauthenticated'; readonly reason: string }
  | { readonly kind: 'Unavailable'; readonly reason: string }
  /** A bug, or a broken file. */
  | { readonly kind: 'Failed'; readonly reason: string }

/** Thrown anywhere in a call to end it; `createHandlers` turns it into a status. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly failure: CallFailure
  constructor(failure: CallFailure) {
    super(sentence(failure))
    this.failure = failure
  }
}

export const invalid = (reason: string): CallFailed => new CallFailed({ kind: 'Invalid', reason })

export const stoppingSoon = (): CallFailed =>
  new CallFailed({ kind: 'Unavailable', reason: 'the gateway is stopping; try again' })

/** A failure as clients read it: a status, and trailers that name EventStoreDB's error and its details. */
export const toServiceError = (failed: CallFailed): ServiceError => {
  const { failure } = failed
  const [code, trailers] = statusOf(failure)
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  const details = clip(failed.message, maxDetails)
  return Object.assign(new Error(details), { code, details, metadata })
}

const statusOf = (failure: CallFailure): [status, Readonly<Record<string, string>>] => {
  switch (failure.kind) {
    case 'Conflict':
      return [
        status.FAILED_PRECONDITION,
        {
          exception: 'wrong-expected-version',
          'stream-name': headerText(failure.stream),
          'expected-version': expectedNumber(failure.expected).toString(),
          'actual-version': failure.actual === 'none' ? '' : failure.actual.toString(),
        },
      ]
    case 'StreamDeleted':
      return [
        status.FAILED_PRECONDITION,
        { exception: 'stream-deleted', 'stream-name': headerText(failure.stream) },
      ]
    case 'TooLarge':
      return [
        status.INVALID_ARGUMENT,
        { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(failure.limit) },
      ]
    case 'AccessDenied':
      return [status.PERMISSION_DENIED, { exception: 'access-denied' }]
    case 'Unauthenticated':
      return [status.UNAUTHENTICATED, { exception: 'access-denied' }]
    case 'Invalid':
      return [status.INVALID_ARGUMENT, {}]
    case 'Unavailable':
      return [status.UNAVAILABLE, {}]
    case 'Failed':
      return [status.INTERNAL, {}]
  }
}

/** Trailers hold printable ASCII without space at the ends, and are short: other names are percent-encoded. */
const headerText = (text: string): string => {
  const name = clip(text, maxDetails)
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) ? name : encodeURIComponent(name)
}

const maxDetails = 1000

const expectedNumber = (expected: Expected): bigint =>
  expected === 'none' ? -1n : expected === 'any' ? -2n : expected === 'exists' ? -4n : expected

const sentence = (failure: CallFailure): string => {
  switch (failure.kind) {
    case 'Conflict':
      return `stream ${failure.stream} was expected at ${failure.expected}, it stands at ${failure.actual}`
    case 'StreamDeleted':
      return `stream ${failure.stream} is deleted`
    case 'TooLarge':
      return `an append may hold ${failure.limit} bytes; split it`
    default:
      return failure.reason
  }
}
