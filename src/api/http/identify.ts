import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { SignIn } from '../sign-in/open-sign-in.ts'
import { fromHere, type Identify } from './guard.ts'
import { refuse } from './refuse.ts'
import type { Sessions } from './sessions.ts'

interface Ways {
  /** Absent: no token is set. */
  readonly sessions?: Sessions | undefined
  /** Absent: nobody can sign in. */
  readonly signIn?: SignIn | undefined
}

/**
 * Returns how the server finds out who makes a request: a token in the request counts before a proxy's word, and that
 * before the cookies of a browser.
 */
export const identifyBy = ({ sessions, signIn }: Ways): Identify => {
  if (!sessions && !signIn) return fromHere
  const ways = [sessions && 'the token: send the header "Authorization: Bearer <token>"', signIn && 'sign-in']
  const needed = ways.filter((way) => way !== undefined).join(', or ')
  return (request) => {
    const { headers } = request
    const proxied = signIn?.proxy?.(request) ?? right(undefined)
    const byToken = sessions?.callerOf(headers)
    if (byToken && !byToken.isSession) return right(byToken)
    if (isLeft(proxied)) return proxied
    const caller = proxied.right ?? signIn?.provider?.sessions.callerOf(headers) ?? byToken
    if (caller) return right(caller)
    const another = sessions && headers.authorization !== undefined ? '; the one sent is another' : ''
    return refuse(401, 'no-token', `this needs ${needed}${another}, or open /enter in a browser`)
  }
}
