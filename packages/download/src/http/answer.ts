import { STATUS_CODES } from 'node:http'
import { TransientFailure } from '../failures.ts'
import type { HttpResponse } from '../http-client.ts'
import type { Validators } from '../validators.ts'
import { codingOf } from './coding.ts'

/* Status and headers of a response. */

/**
 * Throws `TransientFailure` for an error status: servers answer 403 or 404 for content that they deliver a
 * minute later, so that every request is retried.
 */
export const failOnStatus = ({ status, headers }: HttpResponse): void => {
  if (status < 400) return
  const seconds = Number(headers.get('retry-after') ?? 0)
  const afterMillis = Number.isFinite(seconds) ? seconds * 1000 : 0
  throw new TransientFailure(statusText(status), { status, afterMillis, advice: adviceOn(status) })
}

/** Throws `TransientFailure` for any other status. `content` is the wanted content. */
export const failUnlessStatus = (answer: HttpResponse, wanted: readonly number[], content: string): void => {
  const { status } = answer
  if (wanted.includes(status)) return
  failOnStatus(answer)
  throw new TransientFailure(`${statusText(status)}, which brings no ${content}`, {
    status,
    advice: 'check the address',
  })
}

/** Returns true for a server's own fault or an overload, which do not refuse the request itself. */
export const mayPass = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

/** Names the status as the standard does; the server's own words are not quoted. */
const statusText = (status: number): string =>
  ['answered', status, STATUS_CODES[status]].filter(Boolean).join(' ')

const adviceOn = (status: number): string => {
  if (status === 401 || status === 403) return 'it is not open to everybody'
  return mayPass(status) ? 'try again later' : 'check the address'
}

/** Length of the body as it is sent. */
export const lengthOf = ({ headers }: HttpResponse): number | undefined => {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

export const validatorsOf = ({ headers }: HttpResponse): Validators => {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) }
}

/** Returns true if the body has no content coding, as requested. */
export const isPlain = (headers: Headers): boolean => codingOf(headers) === undefined

/** First byte and total length of a partial response. */
export const rangeOf = ({
  headers,
}: HttpResponse): { readonly start: number; readonly total?: number } | undefined => {
  const parsed = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (!parsed) return undefined
  return { start: Number(parsed[1]), ...(parsed[2] !== '*' && { total: Number(parsed[2]) }) }
}
