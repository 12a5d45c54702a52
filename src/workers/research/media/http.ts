import { mayAsk } from './hosts.ts'
import type { Validators } from './part.ts'

/** Worth another try: the server or the way to it may be better soon. The message goes on from the address. */
export class Passing extends Error {
  override readonly name = 'Passing'
  /** What the server asks to wait. */
  readonly afterMillis: number

  constructor(message: string, afterMillis = 0, options?: ErrorOptions) {
    super(message, options)
    this.afterMillis = afterMillis
  }
}

/** Not worth one. The message goes on from the address. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

const mostRedirects = 5

/** Follows redirects, to `hosts` alone where given. Throws `Passing`, `Refused`, and what the signal aborts with. */
export const request = async (
  uri: string,
  hosts: readonly string[] | undefined,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> => {
  let address = uri
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await ask(address, headers, signal)
    if (![301, 302, 303, 307, 308].includes(response.status)) return response
    await response.body?.cancel()
    address = next(address, response.headers.get('location'))
    if (!mayAsk(hosts, address)) throw forbidden(`redirects to ${new URL(address).hostname}, which`)
  }
  throw new Refused(`redirects more than ${mostRedirects} times; check the address`)
}

const ask = async (address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => {
  try {
    // Compressed bytes could not be gone on with, and audio is compressed already.
    return await fetch(address, {
      headers: { ...headers, 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    throw new Passing(reasonOf(error), 0, { cause: error })
  }
}

const next = (address: string, location: string | null): string => {
  if (location === null || !URL.canParse(location, address))
    throw new Refused('redirects without saying where to; check the address')
  const { protocol, username, password, href } = new URL(location, address)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Refused(`redirects to ${protocol} which is not http or https; check the address`)
  if (username !== '' || password !== '')
    throw new Refused('redirects to an address with a password; check the address')
  return href
}

export const forbidden = (host: string): Refused =>
  new Refused(`${host} media may not be fetched from; allow it with FONDS_MEDIA_HOSTS, or offer it elsewhere`)

/** What fetch says is in the cause. */
export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return (
    reasons[code] ?? `cannot be reached: ${cause instanceof Error ? cause.message || code : String(cause)}`
  )
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'names a host that is not known; check the address',
  EAI_AGAIN: 'names a host that could not be looked up; check the network',
  ECONNREFUSED: 'is on a host that takes no connections there; check the address, or whether the server runs',
  ECONNRESET: 'broke off',
  UND_ERR_SOCKET: 'broke off',
}

/** Throws for an answer that brings no media. */
export const refuseStatus = (response: Response): void => {
  const { status, headers } = response
  if (status < 400) return
  const text = `answered ${status}`
  if (status === 401 || status === 403) throw new Refused(`${text}; it is not open to everybody`)
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500
  if (!isPassing) throw new Refused(`${text}; check the address`)
  const seconds = Number(headers.get('retry-after') ?? 0)
  throw new Passing(text, Number.isFinite(seconds) ? seconds * 1000 : 0)
}

/** Unknown where the bytes come through in another coding than was asked for. */
export const lengthOf = ({ headers }: Response): number | undefined => {
  const length = headers.get('content-length')
  return isPlain(headers) && length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

export const validatorsOf = ({ headers }: Response): Validators => {
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
}: Response): { readonly start: number; readonly total?: number } | undefined => {
  const parsed = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (!parsed) return undefined
  return { start: Number(parsed[1]), ...(parsed[2] !== '*' && { total: Number(parsed[2]) }) }
}
