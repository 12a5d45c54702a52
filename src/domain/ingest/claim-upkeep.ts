import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../kernel/decider.ts'
import type { LeaseRejection } from '../kernel/lease.ts'
import type { Ending } from '../kernel/task.ts'
import {
  type ClaimEvent,
  type Claims,
  expireClaim,
  extendClaim,
  type MaxDeaths,
  releaseClaim,
} from './claim.ts'

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
export interface ExpireClaim extends Command, Ending, MaxDeaths {
  readonly type: 'ExpireClaim'
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
