import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { HOUR } from '../../domain/kernel/time.ts'

/** Who shows the token, and browsers that have shown it. Only where a token is set. */
export interface Sessions {
  /** Of the header `Authorization`. */
  readonly isToken: (authorization: string | undefined) => boolean
  /** Of the header `Cookie`. */
  readonly isUnderWay: (cookies: string | undefined) => boolean
  /** The cookie of a session, for who sends the token or a ticket (the header `Authorization`); undefined for others. */
  readonly begin: (authorization: string | undefined) => string | undefined
}

const cookieName = 'fonds-session'

/**
 * A session's cookie is made from the token: it holds on every machine and for as long as the token does, and does not tell
 * it. The ticket is good once, for an hour: it may be printed, the token may not.
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

/** In constant time, whatever came: digests have one length. */
const equals = (wanted: string): ((came: string) => boolean) => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const known = digest(wanted)
  return (came) => timingSafeEqual(digest(came), known)
}
