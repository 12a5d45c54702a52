import { addMillis, SECOND } from '../kernel/time.ts'
import { backoffAfter, type Policy } from './desk/policy.ts'

/** Of an episode's or clip's own media, in a row. */
export interface Failures {
  readonly count: number
  /** When there is another attempt. Absent where nothing failed, and where it is parked. */
  readonly retryAt?: string
}

export const noFailures: Failures = { count: 0 }

/**
 * One more failure: which it is, and when there is another attempt; without `retryAt` it is parked (F22). Until then the
 * thing is not handed out, so whoever fails meanwhile began before: that is the same failure once more. An outage met by
 * many at once is one, and what is parked has failed for as long as all its pauses.
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

/** As an event tells it. */
export const failuresOf = ({
  attempt,
  retryAt,
}: {
  readonly attempt: number
  readonly retryAt?: string | undefined
}): Failures => ({ count: attempt, ...(retryAt !== undefined && { retryAt }) })

/** Why failures are forgotten without a person's word. */
export const movedReason = 'its media has another address'
export const hadReason = 'a result shows that its media can be had'
