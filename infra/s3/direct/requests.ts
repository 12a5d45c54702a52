import type { Place } from '../place.ts'
import { defaultConnections, defaultTimeout, type Env, proxiesIn, tlsOf } from '../route.ts'
import type { S3Settings } from '../settings.ts'
import { createKeptSockets } from './kept-sockets.ts'
import { type DirectRequest, type Response, requestDirectly } from './request.ts'

/** GETs bodies over connections of their own. */
export interface DirectRequests {
  /** As undici's, with chunks that are valid until the next is asked for. */
  get(place: Place, request: DirectRequest): Promise<Response>
  /** Ends connections that rest. */
  close(): void
}

/** Undefined where a proxy may lead to the server: such requests are made as others are. */
export const directRequests = (settings: S3Settings, env: Env = process.env): DirectRequests | undefined => {
  if (settings.proxy !== undefined || proxiesIn(env)) return undefined
  const { connections = defaultConnections, timeoutMillis = defaultTimeout } = settings
  const sockets = createKeptSockets(connections, { ...tlsOf(settings), timeoutMillis })
  return { get: (place, request) => requestDirectly(sockets, place, request), close: sockets.close }
}
