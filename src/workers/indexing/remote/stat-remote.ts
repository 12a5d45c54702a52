import type { HttpClient, HttpResponse, Validators } from '@fonds/download'
import { DownloadFailure, PermanentFailure, TransientFailure } from '@fonds/download'
import {
  type AllowedHosts,
  codingOf,
  failOnStatus,
  inTries,
  isOwnCoding,
  lengthOf,
  rangeOf,
  request,
  type Tries,
  validatorsOf,
} from '@fonds/download/http'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskContext } from '../../../async/task-context.ts'
import type { JobOutcome } from '../../../domain/indexing/outcome.ts'
import type { Place } from '../../../domain/indexing/place.ts'

type Failure = Extract<JobOutcome, { status: 'failed' }>

/** The present state of a file on a server. */
export interface RemoteStat {
  readonly address: string
  readonly size: number
  /** According to the list, or else to the server: the date reported as indexed is the one in the list. */
  readonly modifiedAt: string
  /** According to the server. */
  readonly changedAt?: string
  readonly validators: Validators
  /** As in its place. */
  readonly foreign?: boolean
  /** The server sends a part of it, if it is asked for one. */
  readonly hasRanges?: boolean
}

export interface StatOptions extends Tries {
  readonly client: HttpClient
  readonly allowed: AllowedHosts
  readonly stallMillis: number
}

/** Used if neither list nor server states when it changed. */
const noDate = '1970-01-01T00:00:00.000Z'

/**
 * Requests the first byte: any server answers that, and states the total length. Left: it cannot be read. Throws when
 * the signal aborts.
 */
export const statRemote = async (
  { location: address, modifiedAt, foreign }: Place,
  options: StatOptions,
  context: TaskContext,
): Promise<E.Either<Failure, RemoteStat>> => {
  const fail = (code: Failure['code'], reason: string) => E.left({ status: 'failed' as const, code, reason })
  try {
    const found = await inTries(
      address,
      () => statOnce(address, modifiedAt, options, context),
      options,
      context,
    )
    return E.right({ ...found, ...(foreign && { foreign }) })
  } catch (error) {
    if (!(error instanceof DownloadFailure)) throw error
    const { cause, message } = error
    const isMissing = cause instanceof TransientFailure && (cause.status === 404 || cause.status === 410)
    return fail(isMissing ? 'not-found' : 'unreadable', message)
  }
}

const statOnce = async (
  address: string,
  modifiedAt: string | undefined,
  options: StatOptions,
  context: TaskContext,
): Promise<RemoteStat> => {
  await using answer = await ask(address, options, context)
  const size = sizeIn(answer)
  if (size === undefined) failOnStatus(answer)
  if (size === undefined)
    throw new PermanentFailure('is sent without its length, so nothing shows whether it arrived whole')
  const validators = validatorsOf(answer)
  const changedAt = dateIn(validators.lastModified)
  const dates = { modifiedAt: modifiedAt ?? changedAt ?? noDate, ...(changedAt && { changedAt }) }
  return { address, size, validators, ...dates, ...(answer.status !== 200 && { hasRanges: true }) }
}

const ask = async (
  address: string,
  { client, allowed, stallMillis }: StatOptions,
  { signal }: TaskContext,
): Promise<HttpResponse> => {
  const asking = { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMillis)]), begun: () => {} }
  const answer = await request(client, address, allowed, { range: 'bytes=0-0' }, asking)
  const coding = codingOf(answer.headers)
  if (coding === undefined || isOwnCoding(coding, answer.headers, [new URL(address).pathname])) return answer
  await answer[Symbol.asyncDispose]()
  throw new PermanentFailure(
    `is sent in the coding ${coding}, so that places in it are not those of the file; have the server send it as it is, without Content-Encoding`,
  )
}

/** Returns undefined if the answer does not state it, or has an unexpected status. */
const sizeIn = (answer: HttpResponse): number | undefined => {
  if (answer.status === 200) return lengthOf(answer)
  if (answer.status === 206) return rangeOf(answer)?.total
  const none = answer.status === 416 && /^bytes \*\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')
  return none ? Number(none[1]) : undefined
}

const dateIn = (lastModified: string | undefined): string | undefined => {
  const date = Date.parse(lastModified ?? '')
  return Number.isNaN(date) ? undefined : new Date(date).toISOString()
}
