import type { Answer } from './http-client.ts'
import { PermanentFailure, TransientFailure } from './http-failures.ts'
import type { Validators } from './validators.ts'

/* What the status and the headers of an answer say. */

export const failOnStatus = ({ status, headers }: Answer): void => {
  if (status < 400) return
  const text = `answered ${status}`
  if (status === 401 || status === 403) throw new PermanentFailure(`${text}; it is not open to everybody`)
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  if (!isPassing) throw new PermanentFailure(`${text}; check the address`)
  const seconds = Number(headers.get('retry-after') ?? 0)
  throw new TransientFailure(text, Number.isFinite(seconds) ? seconds * 1000 : 0)
}

/** Throws `TransientFailure` and `PermanentFailure` for any other status. `content` is what was wanted. */
export const failUnlessStatus = (answer: Answer, wanted: readonly number[], content: string): void => {
  if (wanted.includes(answer.status)) return
  failOnStatus(answer)
  throw new PermanentFailure(`answered ${answer.status}, which brings no ${content}; check the address`)
}

/** Unknown where the bytes come in another coding than was asked for. */
export const lengthOf = ({ headers }: Answer): number | undefined => {
  const length = headers.get('content-length')
  return isPlain(headers) && length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

export const validatorsOf = ({ headers }: Answer): Validators => {
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
}: Answer): { readonly start: number; readonly total?: number } | undefined => {
  const parsed = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (!parsed) return undefined
  return { start: Number(parsed[1]), ...(parsed[2] !== '*' && { total: Number(parsed[2]) }) }
}
