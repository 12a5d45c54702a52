import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import { defaultConnections, defaultTimeout, type Env, proxiesIn, tlsOf, variable } from './route.ts'
import type { S3Settings } from './settings.ts'

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

/** A proxy of the environment never leads to these; that of the settings does. */
const thisMachine = 'localhost,127.0.0.1,::1'
