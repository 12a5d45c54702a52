import { errorMessage } from '../../src/async/errors.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'

interface Asked {
  readonly url: string
  /** For the error: `the witness`. */
  readonly whom: string
  readonly signal: AbortSignal
  /** Most bytes of the answer. */
  readonly mostBytes: number
  readonly post?: { readonly body: string | Uint8Array; readonly contentType: string }
}

/** A server that takes longer is asked again later. */
const timeoutMillis = 10_000

/** Asks another organisation's server. Rejects with `UnavailableError` where it does not answer in time, or too much. */
export const fetched = async ({ url, whom, signal, mostBytes, post }: Asked) => {
  const { fetch } = await import('undici')
  try {
    if (new URL(url).username !== '') throw new Error('no login is taken in its address')
    const response = await fetch(url, {
      ...(post && { method: 'POST', headers: { 'content-type': post.contentType }, body: post.body }),
      // A redirect could send what is asked to another machine.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
    })
    return { status: response.status, body: await bytesOf(response.body ?? [], mostBytes) }
  } catch (error) {
    throw new UnavailableError(`${whom} at ${originOf(url)} does not answer: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

const bytesOf = async (
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer> => {
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
