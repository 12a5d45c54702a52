import type { Place } from '../place.ts'
import { openSocketReader, type SocketOptions, type SocketReader } from './socket-reader.ts'

/** Connections that carry one request after the other. */
export interface KeptSockets {
  /**
   * Returns one that rests, or a new one; waits while the most are in use. Who takes one gives it back, once. Rejects with
   * the signal's reason.
   */
  take(place: Place, wish: SocketWish): Promise<KeptSocket>
  /** Ends those that rest, and keeps none from now on. */
  close(): void
}

export interface SocketWish {
  /** Much is to come, and may be read slowly: it waits for nobody. */
  readonly isLarge: boolean
  /** None that rested will do. */
  readonly isNew: boolean
  readonly signal: AbortSignal | undefined
}

export interface KeptSocket extends SocketReader {
  /** Earlier requests went over it: the server may have ended it meanwhile. */
  readonly wasUsed: boolean
  /** `isReusable`: its answer has been read to the end, and the server takes another request. Otherwise it ends. */
  give(isReusable: boolean): void
}

/** Servers end connections that rest: those of S3 after 5 s and more. */
const restMillis = 4000

/** `most`: connections in use, and as many that rest. */
export const createKeptSockets = (most: number, options: SocketOptions): KeptSockets => {
  /** By origin, the one that rested last at the end. */
  const resting = new Map<string, SocketReader[]>()
  const waiting = new Set<() => void>()
  let inUse = 0
  let isClosed = false

  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.delete(begin)
        reject(signal?.reason)
      }
      if (signal?.aborted) return leave()
      waiting.add(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })

  const keep = (origin: string, socket: SocketReader): void => {
    const others = resting.get(origin) ?? []
    if (isClosed || others.length >= most) {
      socket.close()
      return
    }
    resting.set(origin, others)
    others.push(socket)
    socket.rest(restMillis, () => {
      const at = others.indexOf(socket)
      if (at >= 0) others.splice(at, 1)
    })
  }

  return {
    take: async (place, { isLarge, isNew, signal }) => {
      while (!isLarge && inUse >= most) await turn(signal)
      inUse++
      const rested = isNew ? undefined : resting.get(place.origin)?.pop()
      const socket = rested ?? openSocketReader(place, options)
      return {
        ...socket,
        wasUsed: rested !== undefined,
        give: (isReusable) => {
          inUse--
          if (isReusable) keep(place.origin, socket)
          else socket.close()
          const [next] = waiting
          next?.()
        },
      }
    },
    close: () => {
      isClosed = true
      for (const socket of [...resting.values()].flat()) socket.close()
    },
  }
}
