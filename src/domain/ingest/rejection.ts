import * as E from 'fp-ts/lib/Either.js'
import type { ClaimRejection } from './claim.ts'

export interface IngestRejection {
  readonly code:
    | ClaimRejection['code']
    /** No such thing. */
    | 'unknown'
    | 'exists'
    /** A move that is not allowed; names both states. */
    | 'not-allowed'
    /** It cannot be resumed. */
    | 'permanent'
    /** Somebody will not be notified; to be repeated with `confirmed: true`. */
    | 'unconfirmed'
    /** All ingest is on hold. */
    | 'paused'
    /** Its collection is on hold. */
    | 'on-hold'
    | 'not-held'
    | 'jobs-open'
    | 'mail-due'
    | 'nothing-to-do'
    /** The listed entries do not match the announced number. */
    | 'incomplete'
    | 'too-large'
    /** Another job has it. */
    | 'taken'
    | 'other-ark'
    | 'version-conflict'
  readonly message: string
}

export const reject = (code: IngestRejection['code'], message: string): E.Either<IngestRejection, never> =>
  E.left({ code, message })

/** `unnotified`: the parties that will not be notified, in words. */
export const unconfirmed = (what: string, unnotified: string): E.Either<IngestRejection, never> =>
  reject(
    'unconfirmed',
    `${what}: ${unnotified}; repeat it with --confirm, over HTTP with "confirmed": true in its input ({"input": {…, "confirmed": true}, …}), to do it all the same`,
  )
