import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type DetailedProblem, problem } from './refuse.ts'

/**
 * Who may ask. A request of this machine may read. Writes need the token once one is set; without one they are for
 * this machine, and not for web pages of other sites that happen to be open in its browser. Everything else needs the
 * token: a request from elsewhere, through a proxy, or under a name that is not this machine's (which is how a web page
 * reaches a local server by rebinding its own name).
 */
export const guard = (token: string | undefined) => {
  const carriesToken = tokenMatcher(token)

  return (request: FastifyRequest): DetailedProblem | undefined => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (carriesToken(request.headers.authorization)) return undefined
    const fromHere = isFromHere(request)
    if (token !== undefined)
      return fromHere && reads
        ? undefined
        : problem(
            401,
            'no-token',
            `this needs the token: send the header "Authorization: Bearer <token>"${request.headers.authorization === undefined ? '' : '; the one that came is another'}`,
          )
    if (!fromHere)
      return problem(
        403,
        'not-from-here',
        'without a token only this machine is answered, under its own name (localhost, 127.0.0.1); set FONDS_TOKEN to be reached otherwise',
      )
    if (!reads && isForeign(request.headers.origin, request.headers.host))
      return problem(
        403,
        'foreign-origin',
        `a web page of ${request.headers.origin} may not write here; set FONDS_TOKEN and send it`,
      )
    return undefined
  }
}

/** In constant time, whatever came. */
const tokenMatcher = (token: string | undefined) => {
  if (token === undefined) return () => false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(token)
  return (header: string | undefined): boolean => {
    const came = /^Bearer +(.+?) *$/i.exec(header ?? '')?.[1]
    return came !== undefined && timingSafeEqual(digest(came), wanted)
  }
}

const isFromHere = ({ headers, socket }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  headers.forwarded === undefined &&
  headers['x-forwarded-for'] === undefined &&
  isOurName(headers.host ?? '')

const isLoopback = (address: string): boolean =>
  address === '::1' || isLoopback4(address.replace(/^::ffff:/i, ''))

/** Numbers only: 127.example.org is somebody's name. */
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
