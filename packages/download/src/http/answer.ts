import { STATUS_CODES } from 'node:http'
import { TransientFailure } from '../failures.ts'
import type { HttpResponse } from '../http-client.ts'
import type { Validators } from '../validators.ts'

/* Status and headers of a response. */

/** Throws `TransientFailure`: servers say 403 or 404 of what they give out a minute later, so that any answer is asked for again. */
export const failOnStatus = ({ status, headers }: HttpResponse): void => {
  if (status < 400) return
  const seconds = Number(headers.get('retry-after') ?? 0)
  const afterMillis = Number.isFinite(seconds) ? seconds * 1000 : 0
  throw new TransientFailure(said(status), { status, afterMillis, advice: adviceOn(status) })
}

/** Throws `TransientFailure` for any other status. `content` is what was wanted. */
export const failUnlessStatus = (answer: HttpResponse, wanted: readonly number[], content: string): void => {
  const { status } = answer
  if (wanted.includes(status)) return
  failOnStatus(answer)
  throw new TransientFailure(`${said(status)}, which brings no ${content}`, {
    status,
    advice: 'check the address',
  })
}

/** The server's own trouble, or too much at once: not a no to what was asked for. */
export const mayPass = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

/** With the name that the standard gives the status: the server's own words are not quoted. */
const said = (status: number): string => ['answered', status, STATUS_CODES[status]].filter(Boolean).join(' ')

const adviceOn = (status: number): string => {
  if (status === 401 || status === 403) return 'it is not open to everybody'
  return mayPass(status) ? 'try again later' : 'check the address'
}

/** Unknown where the bytes come in another coding than was asked for. */
export const lengthOf = ({ headers }: HttpResponse): number | undefined => {
  const length = headers.get('content-length')
  return isPlain(headers) && length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

export const validatorsOf = ({ headers }: HttpResponse): Validators => {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  return isPlain(headers)
    ? { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) }
    : {}
}

/** As it was asked for: in no other coding. */
export const isPlain = (headers: Headers): boolean =>
  (headers.get('content-encoding') ?? 'identity') === 'identity'

/** First byte and length of the whole, of a partial answer. */
export const rangeOf = ({
  headers,
}: HttpResponse): { readonly start: number; readonly total?: number } | undefined => {
  const parsed = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (!parsed) return undefined
  return { start: Number(parsed[1]), ...(parsed[2] !== '*' && { total: Number(parsed[2]) }) }
}
