import { MINUTE } from '../kernel/time.ts'

/** Rules of the house, which are settings. */
export interface Policy {
  /** How long a file must have stood still before it is read. */
  readonly graceMillis: number
  /** How long after a failure it is tried again. */
  readonly retryMillis: number
  /** A file that failed so often is parked. */
  readonly maxAttempts: number
}

export const defaultPolicy: Policy = { graceMillis: 10 * MINUTE, retryMillis: 15 * MINUTE, maxAttempts: 3 }
