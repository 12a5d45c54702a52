import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { proxySign } from '../../app/proxy-sign.ts'
import { allows, type Permission } from '../../domain/kernel/permission.ts'
import { type Caller, nobody } from './caller.ts'
import { type DetailedProblem, problem, refuse } from './refuse.ts'

/** Left: why a request is of nobody who may ask. */
export type Identify = (request: FastifyRequest) => Either<DetailedProblem, Caller>

/** Permission that a route needs, by method and path; `open` for a route that is for all. Undefined where there is no route. */
export type NeededAt = (method: string, path: string | undefined) => Permission | 'open' | undefined

/**
 * Returns who makes a request, or the problem of one that is not allowed. Once a token or sign-in is set, every request
 * needs it, this machine's too: requests through a proxy on this machine look the same. Web pages of other sites may not
 * write with what a browser sends by itself. Open routes (`GET /healthz`) allow any request.
 */
export const guard =
  (identify: Identify, neededAt: NeededAt): Identify =>
  (request) => {
    const { method, routeOptions } = request
    const needed = neededAt(method === 'HEAD' ? 'GET' : method, routeOptions.url)
    const caller = identify(request)
    if (needed === 'open') return isLeft(caller) ? right(nobody) : caller
    if (isLeft(caller)) return caller
    const refusal = forbidden(caller.right, needed ?? (writes(request) ? 'operate' : 'read'), request)
    return refusal ? left(refusal) : caller
  }

const forbidden = (
  { permission, person, isSession }: Caller,
  needed: Permission,
  request: FastifyRequest,
): DetailedProblem | undefined => {
  if (permission === undefined || !allows(permission, needed))
    return person
      ? problem(
          403,
          'no-permission',
          `this needs the permission to ${needed}; ${person.reference} may ${permission}: ask who administers Fonds`,
        )
      : problem(403, 'read-only', 'this token may only read; FONDS_TOKEN may write, too')
  return isSession ? foreignWrite(request) : undefined
}

/**
 * Without a token and without sign-in: only requests from this machine are allowed, under its own name (DNS rebinding
 * gives it another one), and not through a proxy.
 */
export const fromHere: Identify = (request) => {
  const { headers, socket, raw } = request
  const only = 'without a token only this machine is answered, under its own name (localhost, 127.0.0.1)'
  const toDo = 'set FONDS_TOKEN to be reached otherwise'
  // nginx passes on HTTP/1.0 by default, up to 1.29.6; no browser and no client of today speaks it.
  const sign = proxySign(Object.keys(headers)) ?? (raw.httpVersion === '1.0' ? 'HTTP/1.0' : undefined)
  if (sign !== undefined)
    return refuse(403, 'not-from-here', `${only}; this came through a proxy (${sign}): ${toDo}`)
  if (!isLoopback(socket.remoteAddress ?? '') || !isOurName(headers.host ?? ''))
    return refuse(403, 'not-from-here', `${only}; ${toDo}`)
  return right({ permission: 'administer', isSession: true })
}

const foreignWrite = (request: FastifyRequest): DetailedProblem | undefined => {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (!writes(request) || !(isForeign(origin, host) || isForeignSite(site))) return undefined
  return problem(
    403,
    'foreign-origin',
    `a web page of ${origin ?? 'another site'} may not write here; set FONDS_TOKEN and send it`,
  )
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

/** Browsers of today say by themselves where a request comes from; no page can change that. */
const isForeignSite = (site: string | string[] | undefined): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none'

const hostOf = (host: string | undefined): string | undefined => {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).host : undefined
}
