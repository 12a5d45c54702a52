import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../kernel/decider.ts'
import type { LeaseRejection, Silence } from '../kernel/lease.ts'
import { type ClaimEvent, type Claims, expireClaim, extendClaim, releaseClaim } from './claim.ts'

interface ExtendClaim extends Command {
  readonly type: 'ExtendClaim'
  readonly fence: number
  readonly deadline: string
}

interface ReleaseClaim extends Command {
  readonly type: 'ReleaseClaim'
  readonly fence: number
  readonly reason: string
  /** Not offered again before. */
  readonly until?: string | undefined
}

/** From the ticker. */
interface ExpireClaim extends Command {
  readonly type: 'ExpireClaim'
  readonly silence?: Silence | undefined
}

/** The same of whatever is claimed. */
export type ClaimUpkeep = ExtendClaim | ReleaseClaim | ExpireClaim

export const keepClaim = (
  command: ClaimUpkeep,
  claims: Claims,
): E.Either<LeaseRejection, readonly ClaimEvent[]> => {
  switch (command.type) {
    case 'ExtendClaim':
      return extendClaim(claims, command)
    case 'ReleaseClaim':
      return releaseClaim(claims, command)
    case 'ExpireClaim':
      return E.right(expireClaim(claims, command))
  }
}
