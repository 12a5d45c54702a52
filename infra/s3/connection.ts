import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import { createKeptSockets } from './direct/kept-sockets.ts'
import { type DirectRequest, type Response, requestDirectly } from './direct/request.ts'
import type { Place } from './place.ts'
import type { S3Settings } from './settings.ts'

export const defaultConnections = 32
const defaultTimeout = 60_000

type Env = Readonly<Record<string, string | undefined>>

/** Connections to one server, by the proxy of the settings or of the environment. */
export const createConnections = (settings: S3Settings, env: Env = process.env): Dispatcher => {
  const { connections = defaultConnections, timeoutMillis = defaultTimeout, proxy } = settings
  const tls = tlsOf(settings)
  const options = {
    connections,
    headersTimeout: timeoutMillis,
    bodyTimeout: timeoutMillis,
    connectTimeout: timeoutMillis,
    connect: { ...tls, timeout: timeoutMillis },
    requestTls: { ...tls, timeout: timeoutMillis },
    proxyTls: tls,
  }
  if (proxy !== undefined) return new ProxyAgent({ ...options, uri: proxy })
  const proxies = proxiesIn(env)
  if (!proxies) return new Agent(options)
  return new EnvHttpProxyAgent({
    ...options,
    ...proxies,
    noProxy: `${variable(env, 'no_proxy')},${thisMachine}`,
  })
}

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

const tlsOf = ({ ca }: S3Settings) => (ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })

const proxiesIn = (env: Env) => {
  const proxies = { httpProxy: variable(env, 'http_proxy'), httpsProxy: variable(env, 'https_proxy') }
  return proxies.httpProxy || proxies.httpsProxy ? proxies : undefined
}

const variable = (env: Env, name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''

/** A proxy of the environment never leads to these; that of the settings does. */
const thisMachine = 'localhost,127.0.0.1,::1'
