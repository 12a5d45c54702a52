import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { clip } from '../../src/domain/kernel/clip.ts'
import type { Expected } from '../../src/ports/event-store.ts'

/** Everything that a call may be told instead of an answer. */
export type Refusal =
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

/** Ends a call: thrown by whatever finds the fault, turned into a status where the call was taken. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(sentence(refusal))
    this.refusal = refusal
  }
}

export const invalid = (reason: string): Refused => new Refused({ kind: 'Invalid', reason })

export const stoppingSoon = (): Refused =>
  new Refused({ kind: 'Unavailable', reason: 'the gateway is stopping; try again' })

/** What clients make of a refusal: a status, and trailers that name EventStoreDB's error and its details. */
export const toServiceError = (refused: Refused): ServiceError => {
  const { refusal } = refused
  const [code, trailers] = statusOf(refusal)
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  const details = clip(refused.message, longestTold)
  return Object.assign(new Error(details), { code, details, metadata })
}

const statusOf = (refusal: Refusal): [status, Readonly<Record<string, string>>] => {
  switch (refusal.kind) {
    case 'Conflict':
      return [
        status.FAILED_PRECONDITION,
        {
          exception: 'wrong-expected-version',
          'stream-name': headerText(refusal.stream),
          'expected-version': expectedNumber(refusal.expected).toString(),
          'actual-version': refusal.actual === 'none' ? '' : refusal.actual.toString(),
        },
      ]
    case 'StreamDeleted':
      return [
        status.FAILED_PRECONDITION,
        { exception: 'stream-deleted', 'stream-name': headerText(refusal.stream) },
      ]
    case 'TooLarge':
      return [
        status.INVALID_ARGUMENT,
        { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(refusal.limit) },
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

/** Trailers hold printable ASCII without space at the ends, and not much of it: other names arrive percent-encoded. */
const headerText = (text: string): string => {
  const name = clip(text, longestTold)
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) ? name : encodeURIComponent(name)
}

const longestTold = 1000

const expectedNumber = (expected: Expected): bigint =>
  expected === 'none' ? -1n : expected === 'any' ? -2n : expected === 'exists' ? -4n : expected

const sentence = (refusal: Refusal): string => {
  switch (refusal.kind) {
    case 'Conflict':
      return `stream ${refusal.stream} was expected at ${refusal.expected}, it stands at ${refusal.actual}`
    case 'StreamDeleted':
      return `stream ${refusal.stream} is deleted`
    case 'TooLarge':
      return `an append may hold ${refusal.limit} bytes; split it`
    default:
      return refusal.reason
  }
}
