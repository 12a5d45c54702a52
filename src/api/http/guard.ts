import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { proxySign } from '../../app/proxy-sign.ts'
import { type DetailedProblem, problem } from './refuse.ts'
import type { Right, Sessions } from './sessions.ts'

/**
 * Returns the problem of a request that is not allowed. Once a token is set, every request needs it, this machine's
 * too: requests through a proxy on this machine look the same. Without a token only requests from this machine are
 * allowed, under its own name (DNS rebinding gives it another one), not through a proxy, and not for web pages of other
 * sites. Open routes (`GET /healthz`) allow any request.
 */
export const guard = (sessions: Sessions | undefined, open: readonly string[]) => {
  const check = sessions ? withoutToken(sessions) : notFromHere
  return (request: FastifyRequest): DetailedProblem | undefined =>
    open.includes(routeOf(request)) ? undefined : check(request)
}

const routeOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`

type Check = (request: FastifyRequest) => DetailedProblem | undefined

const withoutToken =
  (sessions: Sessions): Check =>
  (request) => {
    const { authorization } = request.headers
    const right = sessions.rightOf(request.headers)
    if (right) return forbiddenWrite(right, request)
    return problem(
      401,
      'no-token',
      `this needs the token: send the header "Authorization: Bearer <token>"${authorization === undefined ? '' : '; the one sent is another'}, or open /enter in a browser`,
    )
  }

const forbiddenWrite = (
  { mayWrite, isSession }: Right,
  request: FastifyRequest,
): DetailedProblem | undefined => {
  if (!mayWrite && writes(request))
    return problem(403, 'read-only', 'this token may only read; FONDS_TOKEN may write, too')
  return isSession ? foreignWrite(request) : undefined
}

const notFromHere: Check = (request) => {
  const { headers, socket, raw } = request
  const only = 'without a token only this machine is answered, under its own name (localhost, 127.0.0.1)'
  const toDo = 'set FONDS_TOKEN to be reached otherwise'
  // nginx passes on HTTP/1.0 by default, up to 1.29.6; no browser and no client of today speaks it.
  const sign = proxySign(Object.keys(headers)) ?? (raw.httpVersion === '1.0' ? 'HTTP/1.0' : undefined)
  if (sign !== undefined)
    return problem(403, 'not-from-here', `${only}; this came through a proxy (${sign}): ${toDo}`)
  if (!isLoopback(socket.remoteAddress ?? '') || !isOurName(headers.host ?? ''))
    return problem(403, 'not-from-here', `${only}; ${toDo}`)
  return foreignWrite(request)
}

const foreignWrite: Check = (request) => {
  const { origin, host } = request.headers
  return writes(request) && isForeign(origin, host)
    ? problem(
        403,
        'foreign-origin',
        `a web page of ${origin} may not write here; set FONDS_TOKEN and send it`,
      )
    : undefined
}

const writes = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD'

const isLoopback = (address: string): boolean =>
  address === '::1' || isLoopback4(address.replace(/^::ffff:/i, ''))

/** Digits only: 127.example.org is a name of another machine. */
const isLoopback4 = (address: string): boolean => isIPv4(address) && address.startsWith('127.')

const isOurName = (host: string): boolean => {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || isLoopback4(name)
}

/** Browsers send the origin with every write. */
const isForeign = (origin: string | undefined, host: string | undefined): boolean => {
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== hostOf(host)
}

const hostOf = (host: string | undefined): string | undefined => {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).host : undefined
}
