import { getCACertificates } from 'node:tls'
import type { S3Settings } from './settings.ts'

/* How connections to a server are made, whoever makes them. */

export const defaultConnections = 32
/** Milliseconds. */
export const defaultTimeout = 60_000

export type Env = Readonly<Record<string, string | undefined>>

export const tlsOf = ({ ca }: S3Settings) =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }

export const proxiesIn = (env: Env) => {
  const proxies = { httpProxy: variable(env, 'http_proxy'), httpsProxy: variable(env, 'https_proxy') }
  return proxies.httpProxy || proxies.httpsProxy ? proxies : undefined
}

export const variable = (env: Env, name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''
