import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { HOUR } from '../../domain/kernel/time.ts'

/** Tells requests with the token, and browsers with a session, from all others. Only where a token is set. */
export interface Sessions {
  /** Takes the header `Authorization`. */
  readonly isToken: (authorization: string | undefined) => boolean
  /** Takes the header `Cookie`. */
  readonly isUnderWay: (cookies: string | undefined) => boolean
  /** The session's cookie for the header `Authorization` with the token or the ticket; undefined for any other. */
  readonly begin: (authorization: string | undefined) => string | undefined
}

const cookieName = 'fonds-session'

/**
 * The session's cookie is a digest of the token: it is valid on every machine, for as long as the token is, and does not
 * reveal it. The ticket is valid once, within an hour: so it may be printed, while the token may not.
 */
export const openSessions = (token: string, ticket?: string): Sessions => {
  const isToken = bearerOf(token)
  const session = createHmac('sha256', token).update(cookieName).digest('base64url')
  const isSession = equals(session)
  const printed = performance.now()
  let isTicket = ticket === undefined ? () => false : bearerOf(ticket)
  return {
    isToken,
    isUnderWay: (cookies) =>
      (cookies ?? '').split(';').some((cookie) => {
        const [name, value] = cookie.trim().split('=', 2)
        return name === cookieName && isSession(value ?? '')
      }),
    begin: (authorization) => {
      if (isTicket(authorization) && performance.now() - printed < HOUR) isTicket = () => false
      else if (!isToken(authorization)) return undefined
      return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
  }
}

const bearerOf = (secret: string): ((authorization: string | undefined) => boolean) => {
  const isSecret = equals(secret)
  return (authorization) => {
    const came = /^Bearer +(.+?) *$/i.exec(authorization ?? '')?.[1]
    return came !== undefined && isSecret(came)
  }
}

/** Compares in constant time: digests have one length. */
const equals = (wanted: string): ((came: string) => boolean) => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const known = digest(wanted)
  return (came) => timingSafeEqual(digest(came), known)
}
