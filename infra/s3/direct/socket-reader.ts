import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Place } from '../place.ts'

export interface SocketOptions {
  /** Certificates in PEM that are trusted. */
  readonly ca?: readonly string[]
  /** Wait for the connection, and for the next bytes. */
  readonly timeoutMillis: number
}

/** A connection whose bytes go into one buffer: nothing is allocated or copied for them. */
export interface SocketReader {
  /** Sends a request. Until it is given back, the connection ends with the signal's reason when the signal aborts. */
  ask(request: string, signal: AbortSignal | undefined): void
  /** Returns the next bytes, valid until the next call; undefined at the end. Rejects where the connection breaks. */
  next(): Promise<Buffer | undefined>
  /** Its last answer has been read. `onEnd` is called where it ends before it is asked again: after `millis` at the latest. */
  rest(millis: number, onEnd: () => void): void
  /** Ends the connection. */
  close(): void
}

/** As much as a socket has at hand, with room for it in the cache of a processor. */
const bufferBytes = 512 * 1024

export const openSocketReader = (
  { protocol, hostname, port }: Place,
  { ca, timeoutMillis }: SocketOptions,
): SocketReader => {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let waiting: PromiseWithResolvers<Buffer | undefined> | undefined
  let arrived: Buffer | undefined
  let over: { readonly error?: unknown } | undefined
  let onEndOfRest: (() => void) | undefined
  let signal: AbortSignal | undefined

  const deliver = (): void => {
    if (!waiting) return
    if (arrived) {
      waiting.resolve(arrived)
      arrived = undefined
    } else if (over && 'error' in over) waiting.reject(over.error)
    else if (over) waiting.resolve(undefined)
    else return
    waiting = undefined
    socket.setTimeout(0)
  }
  const end = (how: { readonly error?: unknown }): void => {
    over ??= how
    onEndOfRest?.()
    deliver()
  }
  const isSecure = protocol === 'https:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ?? (isSecure ? 443 : 80),
    onread: {
      buffer,
      // False pauses the socket: the bytes must not be overwritten before they are taken.
      callback: (length: number) => {
        // Nothing was asked: an answer to the next request would begin with these.
        if (onEndOfRest) socket.destroy()
        arrived = buffer.subarray(0, length)
        deliver()
        return false
      },
    },
  }
  const abort = () => socket.destroy(signal?.reason)
  const forgetSignal = () => {
    signal?.removeEventListener('abort', abort)
    signal = undefined
  }
  const socket: Socket = isSecure
    ? connectSecurely({ ...options, servername: servernameOf(options.host), ...(ca && { ca: [...ca] }) })
    : connect(options)
  socket.on('timeout', () => {
    if (onEndOfRest) return void socket.destroy()
    const message = `nothing came for ${timeoutMillis / 1000} s`
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
  })
  socket.on('error', (error) => end({ error }))
  socket.on('end', () => end({}))
  socket.on('close', () => {
    forgetSignal()
    end({})
  })

  return {
    ask: (request, by) => {
      if (onEndOfRest) {
        onEndOfRest = undefined
        socket.setTimeout(0)
        socket.ref()
      }
      signal = by
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
      socket.write(request, 'latin1')
    },
    next: () => {
      waiting = Promise.withResolvers()
      const { promise } = waiting
      socket.setTimeout(timeoutMillis)
      deliver()
      socket.resume()
      return promise
    },
    rest: (millis, onEnd) => {
      forgetSignal()
      onEndOfRest = onEnd
      if (over) return onEnd()
      socket.setTimeout(millis)
      // It keeps no process from its end.
      socket.unref()
      socket.resume()
    },
    close: () => socket.destroy(),
  }
}

/** Certificates of addresses are compared without a name in the handshake. */
const servernameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? '' : host)
