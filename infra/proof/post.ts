import { errorMessage } from '../../src/async/errors.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'

export interface Posted {
  readonly url: string
  readonly body: string | Uint8Array
  readonly contentType: string
  /** For the error: `the witness`. */
  readonly whom: string
  readonly signal: AbortSignal
}

/** A server that takes longer is asked again later. */
const timeoutMillis = 10_000
/** Signatures and certificates have a few kB. */
const mostBytes = 64 * 1024

/** Posts a body to another organisation's server. Rejects with `UnavailableError` where it does not answer in time, or too much. */
export const post = async ({ url, body, contentType, whom, signal }: Posted) => {
  const { fetch } = await import('undici')
  try {
    if (new URL(url).username !== '') throw new Error('no login is taken in its address')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
      // A redirect could send the body to another machine.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
    })
    return { status: response.status, body: await bytesOf(response.body ?? []) }
  } catch (error) {
    throw new UnavailableError(`${whom} at ${originOf(url)} does not answer: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

const bytesOf = async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> => {
  const found: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    found.push(chunk)
    length += chunk.length
    if (length > mostBytes) throw new Error(`it answers more than ${mostBytes} bytes`)
  }
  return Buffer.concat(found)
}

/** `fetch failed` tells nothing: its cause does. */
const reasonOf = (error: unknown): string =>
  errorMessage(error instanceof TypeError && error.cause !== undefined ? error.cause : error)

/** Without a login. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'its address')
