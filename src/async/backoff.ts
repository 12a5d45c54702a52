/** Pauses between attempts: each twice as long as the one before. */
export interface Backoff {
  /** The first pause. */
  readonly minMillis: number
  readonly maxMillis: number
  /** Fraction by which a pause may be shorter, so that not all retry at once: 0 to 1. */
  readonly jitter: number
}

/**
 * For followers of the log: they go on within two seconds once a dependency is available again, however long it was
 * not. A retry costs little.
 */
export const whileAway: Partial<Backoff> = { maxMillis: 1000 }

const usual: Backoff = { minMillis: 100, maxMillis: 10_000, jitter: 0.5 }

/** Returns the milliseconds to wait after a failure. `before`: number of failures in a row before it. */
export const backoffMillis = (before: number, unlike: Partial<Backoff> = {}): number => {
  const { minMillis, maxMillis, jitter } = { ...usual, ...unlike }
  return Math.min(maxMillis, minMillis * 2 ** before) * (1 - jitter * Math.random())
}
