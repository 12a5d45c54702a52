import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { HOUR } from '../../domain/kernel/time.ts'
import type { Caller } from './caller.ts'

/** Authenticates requests with a token, and browsers with a session. Only if a token is set. */
export interface Sessions {
  /** Undefined for a request with neither. */
  readonly callerOf: (headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>) => Caller | undefined
  /**
   * Returns the session's cookie for the header `Authorization` with a token or the ticket; undefined for any other.
   */
  readonly begin: (authorization: string | undefined) => string | undefined
  /** The cookie that ends a session. */
  readonly end: string
}

interface Tokens {
  readonly token: string
  /** May only read. */
  readonly readToken?: string | undefined
}

const cookieName = 'fonds-session'

/**
 * The session's cookie is a digest of its token: it is valid on every machine, for as long as the token is, and does not
 * reveal it. The ticket is valid once, within an hour: so it may be printed, while the token may not.
 */
export const openSessions = ({ token, readToken }: Tokens, ticket?: string): Sessions => {
  const all = [
    { ...keyOf(token), permission: 'administer' as const },
    ...(readToken === undefined ? [] : [{ ...keyOf(readToken), permission: 'read' as const }]),
  ]
  const printed = performance.now()
  let isTicket = ticket === undefined ? () => false : bearerOf(ticket)
  return {
    callerOf: ({ authorization, cookie }) => {
      const byToken = all.find(({ isToken }) => isToken(authorization))
      const found = byToken ?? all.find(({ isUnderWay }) => isUnderWay(cookie))
      return found && { permission: found.permission, isSession: byToken === undefined }
    },
    begin: (authorization) => {
      if (isTicket(authorization) && performance.now() - printed < HOUR) {
        isTicket = () => false
        return cookieOf(all[0]!.session)
      }
      const found = all.find(({ isToken }) => isToken(authorization))
      return found && cookieOf(found.session)
    },
    end: `${cookieOf('')}; Max-Age=0`,
  }
}

const cookieOf = (session: string): string => `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`

const keyOf = (token: string) => {
  const session = createHmac('sha256', token).update(cookieName).digest('base64url')
  const isSession = equals(session)
  // `@fastify/cookie` keeps the first of two cookies of a name, which need not be ours.
  const isUnderWay = (cookies: string | undefined): boolean =>
    (cookies ?? '').split(';').some((cookie) => {
      const [name, value] = cookie.trim().split('=', 2)
      return name === cookieName && isSession(value ?? '')
    })
  return { isToken: bearerOf(token), isUnderWay, session }
}

const bearerOf = (secret: string): ((authorization: string | undefined) => boolean) => {
  const isSecret = equals(secret)
  return (authorization) => {
    const came = /^Bearer +(.+?) *$/i.exec(authorization ?? '')?.[1]
    return came !== undefined && isSecret(came)
  }
}

/** Compares in constant time: digests have one length. */
export const equals = (wanted: string): ((came: string) => boolean) => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const known = digest(wanted)
  return (came) => timingSafeEqual(digest(came), known)
}
