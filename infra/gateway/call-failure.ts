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
  /** Refused by us, with a sentence. */
  | { readonly kind: 'Invalid'; readonly reason: string }
  /** Refused as EventStoreDB refuses it, without a reason. */
  | { readonly kind: 'Unknown'; readonly details: string }
  | { readonly kind: 'DeadlineExceeded' }
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

/** As EventStoreDB answers where a handler of its fails. */
export const thrownByHandler = (): CallFailed =>
  new CallFailed({ kind: 'Unknown', details: 'Exception was thrown by handler.' })

/** A failure as clients read it: a status, and trailers that name EventStoreDB's error and its details. */
export const toServiceError = (failed: CallFailed): ServiceError => {
  const { failure } = failed
  const [code, trailers] = statusOf(failure)
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  const details = fitting(failed.message)
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
          'actual-version': actualNumber(failure.actual).toString(),
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
    case 'Unauthenticated':
      return [status.UNAUTHENTICATED, {}]
    case 'Invalid':
      return [status.INVALID_ARGUMENT, {}]
    case 'Unknown':
      return [status.UNKNOWN, {}]
    case 'DeadlineExceeded':
      return [status.DEADLINE_EXCEEDED, {}]
    case 'Unavailable':
      return [status.UNAVAILABLE, {}]
    case 'Failed':
      return [status.INTERNAL, {}]
  }
}

/** Trailers hold printable ASCII without space at the ends. Other names are percent-encoded: clients need one. */
const headerText = (text: string): string => {
  const name = fitting(text)
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) ? name : encodeURIComponent(name)
}

/** Bytes of one header, as it is sent. All headers of an answer have 64 KiB. */
const maxHeader = 24_000
/** Bytes that a UTF-16 unit may take once it is percent-encoded. */
const longestUnit = 9

const fitting = (text: string): string =>
  encodeURI(text.toWellFormed()).length > maxHeader
    ? clip(text, maxHeader / longestUnit)
    : text.toWellFormed()

const expectedNumber = (expected: Expected): bigint =>
  expected === 'none' ? -1n : expected === 'any' ? -2n : expected === 'exists' ? -4n : expected

const actualNumber = (actual: bigint | 'none'): bigint => (actual === 'none' ? -1n : actual)

const sentence = (failure: CallFailure): string => {
  switch (failure.kind) {
    case 'Conflict':
      return `Delete failed due to WrongExpectedVersion. Stream: ${failure.stream}, Expected version: ${expectedNumber(failure.expected)}, Actual version: ${actualNumber(failure.actual)}`
    case 'StreamDeleted':
      return `Event stream '${failure.stream}' is deleted.`
    case 'TooLarge':
      return `Maximum Append Size of ${failure.limit} Exceeded.`
    case 'Unknown':
      return failure.details
    case 'DeadlineExceeded':
      return 'the deadline of this call has passed, nothing was written'
    default:
      return failure.reason
  }
}
