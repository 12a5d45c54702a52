import { mayAsk } from './hosts.ts'
import type { Answer, Asking, HttpClient } from './http-client.ts'
import { PermanentFailure, TransientFailure } from './http-failures.ts'
import type { Validators } from './part.ts'

const maxRedirects = 5

/** Follows redirects, to `hosts` alone where given. Throws `TransientFailure` and `PermanentFailure`. */
export const request = async (
  client: HttpClient,
  uri: string,
  hosts: readonly string[] | undefined,
  headers: Readonly<Record<string, string>>,
  asking: Asking,
): Promise<Answer> => {
  let address = uri
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    // Compressed bytes could not be gone on with, and audio is compressed already.
    const answer = await client.get(address, { ...headers, 'accept-encoding': 'identity' }, asking)
    if (![301, 302, 303, 307, 308].includes(answer.status)) return answer
    await answer[Symbol.asyncDispose]()
    address = next(address, answer.headers.get('location'))
    if (!mayAsk(hosts, address)) throw forbidden(`redirects to ${new URL(address).hostname}, which`)
  }
  throw new PermanentFailure(`redirects more than ${maxRedirects} times; check the address`)
}

const next = (address: string, location: string | null): string => {
  if (location === null || !URL.canParse(location, address))
    throw new PermanentFailure('redirects without saying where to; check the address')
  const { protocol, username, password, href } = new URL(location, address)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new PermanentFailure(`redirects to ${protocol} which is not http or https; check the address`)
  if (username !== '' || password !== '')
    throw new PermanentFailure('redirects to an address with a password; check the address')
  return href
}

export const forbidden = (host: string): PermanentFailure =>
  new PermanentFailure(
    `${host} media may not be fetched from; allow it with FONDS_MEDIA_HOSTS, or offer it elsewhere`,
  )

/** Throws for an answer that brings no media. */
export const failOnStatus = (answer: Answer): void => {
  const { status, headers } = answer
  if (status < 400) return
  const text = `answered ${status}`
  if (status === 401 || status === 403) throw new PermanentFailure(`${text}; it is not open to everybody`)
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  if (!isPassing) throw new PermanentFailure(`${text}; check the address`)
  const seconds = Number(headers.get('retry-after') ?? 0)
  throw new TransientFailure(text, Number.isFinite(seconds) ? seconds * 1000 : 0)
}

/** Unknown where the bytes come through in another coding than was asked for. */
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

const isPlain = (headers: Headers): boolean => (headers.get('content-encoding') ?? 'identity') === 'identity'

/** First byte and length of the whole, of a partial answer. */
export const rangeOf = ({
  headers,
}: Answer): { readonly start: number; readonly total?: number } | undefined => {
  const parsed = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (!parsed) return undefined
  return { start: Number(parsed[1]), ...(parsed[2] !== '*' && { total: Number(parsed[2]) }) }
}
