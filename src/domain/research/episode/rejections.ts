import { type Either, left } from 'fp-ts/lib/Either.js'
import type { Decided } from '../../kernel/decider.ts'
import type { Rejection } from '../../kernel/rejection.ts'
import type { CurationRejection } from '../curating.ts'
import type { EpisodeEvent } from './events.ts'

interface LeasingRejection extends Rejection {
  readonly code:
    | 'withdrawn'
    | 'excluded'
    | 'no-clips'
    | 'pair-taken'
    | 'unknown-lease'
    | 'lease-ended'
    | 'stale-item'
    | 'taken-by-another'
    | 'not-the-holder'
}

export type EpisodeRejection = CurationRejection | LeasingRejection

/** The result of a command, beside its events. */
export interface EpisodeResult {
  /** The new deadline of a lease that was extended. */
  readonly deadline?: string
  /** The leases that were granted. */
  readonly granted?: readonly string[]
}

export type Decision = Either<EpisodeRejection, Decided<EpisodeEvent, EpisodeResult>>

export const reject = (
  code: LeasingRejection['code'],
  message: string,
  details?: Rejection['details'],
): Either<LeasingRejection, never> => left({ code, message, ...(details && { details }) })

export const unknownLease = (lease: string): Either<LeasingRejection, never> =>
  reject('unknown-lease', `no lease ${lease} was granted on this episode; check the lease and the episode`, {
    lease,
  })

export const leaseEnded = (lease: string): Either<LeasingRejection, never> =>
  reject('lease-ended', `lease ${lease} has ended; report what is done and take another item`, { lease })
