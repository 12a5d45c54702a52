import {
  type CommandError,
  ErrorType,
  MaxAppendSizeExceededError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { status } from '@grpc/grpc-js'
import type { AppendFailure, ReadFailure } from '../../../src/ports/event-store.ts'
import type { Unavailable } from '../../../src/ports/unavailable.ts'

/** Bytes of one call; an append has a lower limit of its own. */
const maxCallSize = 16 * 1024 * 1024

/** The server did not respond in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/** Object of the call: access to the whole log is a separate right. */
type Asked = 'stream' | 'all'

export const unavailable = (server: string, error: unknown, asked: Asked = 'stream'): Unavailable => {
  if (isBug(error)) throw error
  const reason = reasonOf(server, error, asked)
  return isDenied(error) ? { kind: 'Unavailable', reason, denied: true } : { kind: 'Unavailable', reason }
}

export const reasonOf = (server: string, error: unknown, asked: Asked = 'stream'): string =>
  `EventStoreDB at ${server} ${whyAway(error, asked)}`

export const readFailure = (server: string, stream: string, error: unknown): ReadFailure =>
  isDeleted(error) ? { kind: 'StreamDeleted', stream } : unavailable(server, error)

export const appendFailure = (
  server: string,
  stream: string,
  bytes: number,
  error: unknown,
): AppendFailure => {
  if (error instanceof WrongExpectedVersionError)
    return { kind: 'Conflict', stream, actual: actualOf(error.actualVersion) }
  if (error instanceof MaxAppendSizeExceededError)
    return { kind: 'TooLarge', bytes, limit: error.maxAppendSize }
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  // A proxy that limits the rate of calls has the same code.
  if (code === status.RESOURCE_EXHAUSTED && /message size|larger than max/i.test(String(message)))
    return { kind: 'TooLarge', bytes, limit: Math.min(maxCallSize, bytes - 1) }
  if (code === status.INVALID_ARGUMENT) return { kind: 'Refused', stream, reason: messageText(message) }
  return readFailure(server, stream, error)
}

/** The client returns a number or the word `no_stream`, and from trailers also a negative number. */
export const actualOf = (actual: string | number | bigint | undefined): bigint | 'none' =>
  typeof actual === 'string' || actual === undefined || actual < 0 ? 'none' : BigInt(actual)

/** The stream is tombstoned; or soft-deleted, for an append that expects `exists`. */
export const isDeleted = (error: unknown): boolean => typeOf(error) === ErrorType.STREAM_DELETED

/**
 * The server cannot read from a position that it never returned. Servers before 24.10 only report that the read failed.
 */
export const isUnknownPosition = (error: unknown): boolean =>
  matches(error, /invalid ?position|Unexpected (Filtered)?ReadAllResult: Error/i)

/**
 * Servers before 24.10 end a live subscription if more than some hundred events come at once, however fast they are
 * consumed. Nothing is wrong: the subscription is opened again from its position.
 */
export const isTooSlow = (error: unknown): boolean => matches(error, /consumer too slow/i)

/**
 * Subscribing again from the same position shows whether anything is wrong. Servers before 24.10 do not report an
 * unknown position, only that an exception was thrown.
 */
export const isSubscribedAgain = (error: unknown): boolean =>
  isTooSlow(error) || isUnknownPosition(error) || matches(error, /Exception was thrown by handler/)

const matches = (error: unknown, words: RegExp): boolean =>
  error instanceof Error && words.test(error.message)

const typeOf = (error: unknown): ErrorType | undefined =>
  error instanceof Error ? (error as Partial<CommandError>).type : undefined

const isDenied = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown }
  return (
    typeOf(error) === ErrorType.ACCESS_DENIED ||
    code === status.PERMISSION_DENIED ||
    code === status.UNAUTHENTICATED
  )
}

const isBug = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError

/** Some calls reject with gRPC's own error, which has a code and no type. */
const whyAway = (error: unknown, asked: Asked): string => {
  const type = typeOf(error)
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (error instanceof TimedOut || type === ErrorType.DEADLINE_EXCEEDED || code === status.DEADLINE_EXCEEDED)
    return 'did not answer in time'
  // The client takes ABORTED for a timeout of its own. The server's message names what it aborted.
  if (code === status.ABORTED) return `broke off: ${messageText(message)}`
  if (
    type === ErrorType.UNAVAILABLE ||
    code === status.UNAVAILABLE ||
    /^Failed to discover/.test(String(message))
  )
    return `cannot be reached (${messageText(message)}); ${reachAdvice(String(message))}`
  if (code === status.PERMISSION_DENIED && asked === 'all')
    return 'does not let us read $all, the whole log: our login has to be in the group $admins, or in $r of the ACL of $all'
  if (code === status.PERMISSION_DENIED)
    return 'does not let us read or write a stream: our login needs the right to all of them'
  if (isDenied(error)) return 'denied access; are the name and the password in its address right?'
  if (type === ErrorType.NOT_LEADER) return 'is no longer the leader; the next call goes to the one that is'
  if (type === ErrorType.CANCELLED || code === status.CANCELLED) return 'broke off the call'
  return `failed: ${messageText(message)}`
}

const reachAdvice = (message: string): string =>
  /certificate|altname/i.test(message)
    ? 'does tlsCAFile=<file> in its address name the authority of its certificate, and is that for this host?'
    : 'is it running, and is its address right? It speaks TLS, or has tls=false in its address'

/** `14 UNAVAILABLE: No connection established …` without the code in front and the empty notes behind. */
const messageText = (message: unknown): string =>
  String(message)
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/\.?( Resolution note: *)?$/, '')
