import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import type { S3Settings } from './settings.ts'

export const defaultConnections = 32
const defaultTimeout = 60_000

/** Connections to one server, by the proxy of the settings or of the environment. */
export const createConnections = (settings: S3Settings, env = process.env): Dispatcher => {
  const { connections = defaultConnections, timeoutMillis = defaultTimeout, ca, proxy } = settings
  const tls = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
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
  const variable = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''
  const proxies = { httpProxy: variable('http_proxy'), httpsProxy: variable('https_proxy') }
  if (!proxies.httpProxy && !proxies.httpsProxy) return new Agent(options)
  return new EnvHttpProxyAgent({ ...options, ...proxies, noProxy: `${variable('no_proxy')},${thisMachine}` })
}

/** A proxy of the environment never leads to these; that of the settings does. */
const thisMachine = 'localhost,127.0.0.1,::1'
