/** The rules that the settings make. */
export interface Policy {
  /** How long a file must have stood still before it is read. */
  readonly graceMillis: number
  /** How long after a failure it is tried again. */
  readonly retryMillis: number
  /** A file that failed so often is parked. */
  readonly maxAttempts: number
}
