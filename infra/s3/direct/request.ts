import type { Place } from '../place.ts'
import { headIn, invalid, type ResponseHead, unchunked } from './head.ts'
import type { KeptSocket, KeptSockets } from './kept-sockets.ts'

/** As far as undici's and this one are alike. */
export interface Response {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array> & { destroy(): unknown }
  /** All of the body, where it came at once. */
  readonly whole?: Uint8Array
}

export interface DirectRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Much is to come: it waits for no connection. */
  readonly isLarge: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * GETs a body over a kept connection, which costs less than undici takes for it: the system fills one buffer, in large
 * pieces. Each chunk is valid until the next is asked for. Rejects as a socket does, with the code `InvalidAnswer` for a
 * body without a length, and with the signal's reason.
 */
export const requestDirectly = async (
  sockets: KeptSockets,
  place: Place,
  request: DirectRequest,
): Promise<Response> => {
  const { isLarge, signal } = request
  const text = textOf(request)
  for (let isNew = false; ; isNew = true) {
    const socket = await sockets.take(place, { isLarge, isNew, signal })
    let bytes = 0
    const onBytes = (length: number) => {
      bytes += length
    }
    try {
      socket.ask(text, signal)
      return await answerOn(socket, await readHead(socket, onBytes))
    } catch (error) {
      socket.give(false)
      signal?.throwIfAborted()
      // The server ended the connection while it rested.
      const isStale = socket.wasUsed && bytes === 0 && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT'
      if (!isStale) throw error
    }
  }
}

const textOf = ({ path, headers }: DirectRequest): string => {
  const lines = [`GET ${path} HTTP/1.1`]
  for (const name in headers) lines.push(`${name}: ${headers[name]}`)
  const text = lines.join('\r\n')
  if (text.match(/[\r\n]/g)?.length !== 2 * (lines.length - 1)) throw new TypeError('a header has a line end')
  return `${text}\r\nconnection: keep-alive\r\n\r\n`
}

interface Begun {
  readonly head: ResponseHead
  /** Bytes behind the head, valid until the next are asked for. */
  readonly rest: Buffer
}

const readHead = async (socket: KeptSocket, onBytes: (length: number) => void): Promise<Begun> => {
  let before: Buffer | undefined
  for (;;) {
    const more = await socket.next()
    if (more === undefined) throw endedEarly()
    onBytes(more.length)
    const bytes: Buffer = before ? Buffer.concat([before, more]) : more
    const head = headIn(bytes)
    if (head) return { head, rest: bytes.subarray(head.length) }
    before = Buffer.from(bytes)
  }
}

const endedEarly = () =>
  Object.assign(new Error('the connection ended before an answer'), { code: 'ECONNRESET' })

/** Bytes that are read before they are handed on: less than a socket's buffer. */
const maxWhole = 256 * 1024

const answerOn = async (socket: KeptSocket, { head, rest }: Begun): Promise<Response> => {
  const { status: statusCode, headers } = head
  if (statusCode >= 300) return wholeResponse(statusCode, headers, await documentOn(socket, head, rest))
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(length) || 'transfer-encoding' in headers)
    throw invalid('the answer does not say how long its body is')
  if (length > maxWhole) return { statusCode, headers, body: stream(socket, head, rest, length) }
  const whole = await bytesOn(socket, rest, length)
  socket.give(head.isKept && rest.length <= length)
  return wholeResponse(statusCode, headers, whole)
}

const wholeResponse = (statusCode: number, headers: Response['headers'], whole: Uint8Array): Response => ({
  statusCode,
  headers,
  body: bodyOf(whole),
  whole,
})

const bodyOf = (bytes: Uint8Array): Response['body'] => ({
  destroy: () => {},
  async *[Symbol.asyncIterator]() {
    yield bytes
  },
})

/** So many bytes, `first` the first of them. */
const bytesOn = async (socket: KeptSocket, first: Buffer, length: number): Promise<Buffer> => {
  const whole = Buffer.allocUnsafe(length)
  let at = first.copy(whole)
  while (at < length) {
    const more = await socket.next()
    if (more === undefined) throw truncated(at, length)
    at += more.copy(whole, at)
  }
  return whole
}

const truncated = (bytes: number, length: number): Error =>
  Object.assign(new Error(`the answer ended after ${bytes} of ${length} bytes`), { code: 'TruncatedBody' })

const maxDocument = 1024 * 1024

/** The body of an answer that is no success, whose connection ends with it. */
const documentOn = async (socket: KeptSocket, { headers }: ResponseHead, rest: Buffer): Promise<Buffer> => {
  const isChunked = 'transfer-encoding' in headers
  const length = isChunked ? maxDocument : Number(headers['content-length'] ?? maxDocument)
  let body = Buffer.from(rest)
  for (;;) {
    const content = isChunked ? unchunked(body) : undefined
    const more = content || body.length >= Math.min(length, maxDocument) ? undefined : await socket.next()
    if (more === undefined) {
      socket.give(false)
      return isChunked ? (content ?? Buffer.alloc(0)) : body
    }
    body = Buffer.concat([body, more])
  }
}

/** Ends early where the connection does. */
const stream = (socket: KeptSocket, head: ResponseHead, first: Buffer, length: number): Response['body'] => {
  let isGiven = false
  const give = (isReusable: boolean): void => {
    if (!isGiven) socket.give(isReusable)
    isGiven = true
  }
  return {
    destroy: () => give(false),
    async *[Symbol.asyncIterator]() {
      let left = length
      let isSpent = false
      try {
        for (
          let chunk: Buffer | undefined = first;
          chunk;
          chunk = left > 0 ? await socket.next() : undefined
        ) {
          const wanted = chunk.subarray(0, left)
          left -= wanted.length
          isSpent = left === 0 && wanted.length === chunk.length
          if (wanted.length > 0) yield wanted
        }
      } finally {
        give(isSpent && head.isKept)
      }
    },
  }
}
