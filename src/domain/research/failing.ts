import { addMillis, SECOND } from '../kernel/time.ts'
import { backoffAfter, type Policy } from './policy/policy.ts'

/** Failures in a row of an episode's or clip's own media. */
export interface Failures {
  readonly count: number
  /** Time of the next attempt. Absent if nothing failed, and if it is parked. */
  readonly retryAt?: string
}

export const noFailures: Failures = { count: 0 }

/**
 * Returns the attempt of one more failure, and the time of the next one; without `retryAt` it is parked (F22). Nothing
 * is leased before `retryAt`, so a failure before it belongs to an earlier lease: it is the same attempt. An outage
 * that many leases meet at once is thus one attempt, and a parked subject has failed throughout its back-off.
 */
export const failedAgain = (
  { count, retryAt }: Failures,
  policy: Pick<Policy, 'attempts' | 'backoffSeconds'>,
  at: string,
): { readonly attempt: number; readonly retryAt?: string } => {
  if (retryAt !== undefined && at < retryAt) return { attempt: count, retryAt }
  const attempt = count + 1
  const pause = backoffAfter(attempt, policy)
  return { attempt, ...(pause !== undefined && { retryAt: addMillis(at, pause * SECOND) }) }
}

/** Converts the fields of an event. */
export const failuresOf = ({
  attempt,
  retryAt,
}: {
  readonly attempt: number
  readonly retryAt?: string | undefined
}): Failures => ({ count: attempt, ...(retryAt !== undefined && { retryAt }) })

/** Reasons to forget failures without a person. */
export const movedReason = 'its media has another address'
export const aheadReason = 'its back-off was of a clock that ran ahead'
export const hadReason = 'a result shows that its media can be had'
