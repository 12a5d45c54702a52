/** Pauses between attempts: each twice as long as the one before. */
export interface Backoff {
  /** The first pause. */
  readonly minMillis: number
  readonly maxMillis: number
  /** By which part a pause may be shorter, so that not all come back at once: 0 to 1. */
  readonly jitter: number
}

/**
 * For who follows the log: what depends on it goes on within two seconds once it is back, however long it was away. To ask
 * costs little.
 */
export const whileAway: Partial<Backoff> = { maxMillis: 1000 }

const usual: Backoff = { minMillis: 100, maxMillis: 10_000, jitter: 0.5 }

/** Milliseconds to wait after a failure that so many others came before, in a row. */
export const backoffMillis = (before: number, unlike: Partial<Backoff> = {}): number => {
  const { minMillis, maxMillis, jitter } = { ...usual, ...unlike }
  return Math.min(maxMillis, minMillis * 2 ** before) * (1 - jitter * Math.random())
}
