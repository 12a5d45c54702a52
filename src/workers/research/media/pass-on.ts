import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpResponse } from '@fonds/download'
import { PermanentFailure, TransientFailure, withoutLogin } from '@fonds/download'
import {
  type AllowedHosts,
  createStallWatch,
  failUnlessStatus,
  isPlain,
  mayPass,
  request,
} from '@fonds/download/http'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { createHttpClient } from '../../http/http-client.ts'
import { audioTypes } from './audio-types.ts'
import { NoSound, soundAt } from './remote-sound.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

interface Asking {
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  readonly allowed: AllowedHosts
  /** Timeout of a server that sends nothing. */
  readonly stallMillis: number
}

/** Each listener takes a thread, for as long as its player takes bytes. */
const maxListeners = 16
let listeners = 0

/** Proxies a recording from another server, with that server's response. */
export const passOn = async (
  uri: string,
  { method, headers: asked }: MediaRequest,
  { signal, allowed, stallMillis }: Asking,
): Promise<Either<NotServed, ServedMedia>> => {
  if (listeners >= maxListeners)
    return left({
      code: 'too-many-listeners',
      message: `all ${maxListeners} places for listeners to sound of other servers are in use; try again later`,
    })
  listeners++
  const client = createHttpClient({ stallMillis })
  const stall = createStallWatch(signal, stallMillis)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    listeners--
    stall.end()
    await client.close()
  }
  const get = (headers: Readonly<Record<string, string>>) =>
    request(client, uri, allowed, headers, { signal: stall.signal, begun: stall.begin })

  try {
    const answer = await get(forwarded(asked))
    failUnlessStatus(answer, passed, 'sound')
    const headers = passedHeaders(answer)
    const contentType = audioTypes[await soundAt(uri, answer, get)]
    stall.end()
    const served = { status: answer.status, contentType, headers }
    if (method === 'HEAD' || answer.status >= 300) {
      await close()
      return right({ ...served, body: Readable.from([]) })
    }
    // A body that is never read is not ended by its reader.
    signal.addEventListener('abort', () => void close(), { once: true })
    return right({ ...served, body: bytesOf(answer, stall, close) })
  } catch (error) {
    await close()
    const because = (code: NotServed['code'], why: string) =>
      left({ code, message: `${withoutLogin(uri)} ${why}` })
    if (error instanceof NoSound) return because('unreadable-media', `is ${error.message}`)
    if (error instanceof PermanentFailure) return because('unreadable-media', error.message)
    if (!(error instanceof TransientFailure)) throw error
    const why = stall.hasStalled ? `sent nothing for ${stallMillis / 1000} s` : error.message
    const isTheirNo = error.status !== undefined && !mayPass(error.status)
    return because(isTheirNo ? 'unreadable-media' : 'media-server', `${why}; ${error.advice}`)
  }
}

/** Accepted statuses: the sound, a part of it, and the results of conditions and ranges. */
const passed = [200, 206, 304, 412, 416]

const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']

/** One range at a time: several are answered with another content type. */
const forwarded = (asked: IncomingHttpHeaders): Record<string, string> => {
  const names = /^bytes=\d*-\d*$/.test(asked.range ?? '') ? ['range', ...conditions] : conditions
  return picked(names, (name) => asked[name]?.toString())
}

const passedHeaders = ({ headers }: HttpResponse): Record<string, string> => {
  if (!isPlain(headers))
    throw new PermanentFailure('comes compressed, though it was asked for as it is; offer it as it is')
  const names = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']
  return picked(names, (name) => headers.get(name) ?? undefined)
}

const picked = (names: readonly string[], of: (name: string) => string | undefined): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = of(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )

/** The server has the timeout for each chunk; the player has none. */
async function* bytesOf(
  { body }: HttpResponse,
  stall: ReturnType<typeof createStallWatch>,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    stall.begin()
    for await (const chunk of body) {
      stall.end()
      yield chunk
      stall.begin()
    }
  } finally {
    await close()
  }
}
