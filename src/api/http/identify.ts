import { right } from 'fp-ts/lib/Either.js'
import { fromHere, type Identify } from './guard.ts'
import { refuse } from './refuse.ts'
import type { Sessions } from './sessions.ts'

interface Ways {
  /** Absent: no token is set. */
  readonly sessions?: Sessions | undefined
}

/** Returns how the server finds out who makes a request. */
export const identifyBy = ({ sessions }: Ways): Identify => {
  if (!sessions) return fromHere
  return ({ headers }) => {
    const caller = sessions.callerOf(headers)
    if (caller) return right(caller)
    return refuse(
      401,
      'no-token',
      `this needs the token: send the header "Authorization: Bearer <token>"${headers.authorization === undefined ? '' : '; the one sent is another'}, or open /enter in a browser`,
    )
  }
}
