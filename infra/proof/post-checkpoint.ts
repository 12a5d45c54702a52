import type { Response } from 'undici'
import { errorMessage } from '../../src/async/errors.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { PostCheckpoint } from '../../src/ports/witness.ts'

/** A witness that takes longer is asked again later. */
const timeoutMillis = 10_000
/** Two signatures have 4 kB. */
const mostBytes = 64 * 1024

export const postCheckpoint: PostCheckpoint = async (url, body, signal) => {
  const { fetch } = await import('undici')
  try {
    if (new URL(url).username !== '') throw new Error('no login is taken in its address')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      // A redirect could send the checkpoint to another machine.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
    })
    return { status: response.status, body: await textOf(response) }
  } catch (error) {
    throw new UnavailableError(`the witness at ${originOf(url)} does not answer: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

const textOf = async (response: Response): Promise<string> => {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > mostBytes) throw new Error(`it answers more than ${mostBytes} bytes`)
  }
  return text + decoder.decode()
}

/** `fetch failed` tells nothing: its cause does. */
const reasonOf = (error: unknown): string =>
  errorMessage(error instanceof TypeError && error.cause !== undefined ? error.cause : error)

/** Without a login. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'its address')
