import { createReadStream, openAsBlob } from 'node:fs'
import { Agent, type Dispatcher, fetch, request } from 'undici'
import { failIfInner, InnerAddress, lookupPublic } from '../addresses/inner-addresses.ts'
import { PermanentFailure, TransientFailure } from '../failures.ts'
import type { HttpClient, HttpRequest } from '../http-client.ts'

/**
 * Makes requests in this thread. An exception within the HTTP library that cannot be caught ends the thread:
 * a process that must survive any response needs threads for it.
 */
export const createFetchClient = (): HttpClient => {
  const anyAgent = new Agent()
  /** Its connections are not shared with other requests. */
  const publicAgent = new Agent({ connect: { lookup: lookupPublic } })

  const ask: HttpClient['ask'] = async (job, { signal, begun }) => {
    const { address, publicOnly = false, asSent = false } = job
    const enough = new AbortController()
    try {
      begun()
      if (publicOnly) failIfInner(new URL(address).hostname)
      const { status, headers, body } = await (asSent ? sent : fetched)(job, {
        signal: AbortSignal.any([signal, enough.signal]),
        dispatcher: publicOnly ? publicAgent : anyAgent,
      })
      return {
        status,
        headers,
        body: bodyOf(body),
        [Symbol.asyncDispose]: async () => enough.abort(),
      }
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    ask,
    get: (address, headers, asking) => ask({ address, headers }, asking),
    close: async () => void (await Promise.all([anyAgent.destroy(), publicAgent.destroy()])),
  }
}

interface Connection {
  readonly signal: AbortSignal
  readonly dispatcher: Dispatcher
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Chunks
}

type Chunks = AsyncIterable<Uint8Array> | readonly Uint8Array[]

const fetched = async (
  { address, bodyFile, publicOnly: _, asSent: __, ...asked }: HttpRequest,
  connection: Connection,
): Promise<Answer> => {
  const { status, headers, body } = await fetch(address, {
    ...asked,
    ...(bodyFile !== undefined && { body: await openAsBlob(bodyFile) }),
    redirect: 'manual',
    ...connection,
  })
  return { status, headers: new Headers([...headers]), body: body ?? [] }
}

/** As `fetch` asks: some servers refuse requests without. */
const usual = { accept: '*/*', 'accept-language': '*', 'user-agent': 'undici' }

/** `fetch` undoes the coding that a server names, and cannot be kept from it. */
const sent = async (
  { address, headers: asked, method = 'GET', body: content, bodyFile }: HttpRequest,
  connection: Connection,
): Promise<Answer> => {
  const { statusCode, headers, body } = await request(address, {
    method,
    headers: { ...usual, ...asked },
    body: bodyFile === undefined ? (content ?? null) : createReadStream(bodyFile),
    ...connection,
  })
  // A body that nobody reads is aborted in the end: its error then has no other listener.
  body.on('error', () => {})
  return { status: statusCode, headers: headersOf(headers), body }
}

const headersOf = (named: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(named))
    for (const value of [values].flat()) headers.append(name, value)
  return headers
}

async function* bodyOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw failureOf(error)
  }
}

const failureOf = (error: unknown): Error => {
  const inner = [error, (error as Error).cause].find((one) => one instanceof InnerAddress)
  return inner
    ? new PermanentFailure(inner.message, { cause: error })
    : new TransientFailure(reasonOf(error), { cause: error })
}

/** Reason of a failed request; continues the address. The cause of an error of `fetch` has the details. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const text = cause instanceof Error ? cause.message : String(cause)
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  if (cause instanceof Error && cause.name === 'HTTPParserError')
    return `answered in what is not HTTP: ${text}; check the address`
  if (code.startsWith('Z_')) return `sent data that cannot be unpacked: ${text}; offer it unpacked`
  return reasons[code] ?? `cannot be reached: ${text || code}`
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'names a host that is not known; check the address',
  EAI_AGAIN: 'names a host that could not be looked up; check the network',
  ECONNREFUSED: 'is on a host that takes no connections there; check the address, or whether the server runs',
  ECONNRESET: 'broke off',
  UND_ERR_SOCKET: 'broke off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broke off: other than its Content-Length said',
  UND_ERR_HEADERS_OVERFLOW: 'answered with headers that are too large; check the address',
  UND_ERR_CONNECT_TIMEOUT: 'is on a host that does not answer; check the address, or whether the server runs',
}
