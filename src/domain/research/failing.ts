import { addMillis, SECOND } from '../kernel/time.ts'
import { backoffAfter, type Policy } from './desk/policy.ts'

/** One more failure in a row: which it is, and when there is another attempt; without `retryAt` it is parked (F22). */
export const failedAgain = (
  failures: number,
  policy: Pick<Policy, 'attempts' | 'backoffSeconds'>,
  at: string,
): { readonly attempt: number; readonly retryAt?: string } => {
  const attempt = failures + 1
  const pause = backoffAfter(attempt, policy)
  return { attempt, ...(pause !== undefined && { retryAt: addMillis(at, pause * SECOND) }) }
}

/** Why failures are forgotten without a person's word. */
export const movedReason = 'its media has another address'
