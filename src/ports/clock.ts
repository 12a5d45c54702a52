/** A source of time: now, and sleep. Tests control it. */
export interface Clock {
  /** ISO 8601 UTC with milliseconds. */
  now(): string
  /**
   * Milliseconds since a moment that is the same in all threads of the process. Only grows, at an even pace, while
   * people and time servers put the time of day back and forth: it measures durations.
   */
  monotonic(): number
  /** Resolves after `millis`, or at once when `signal` aborts. */
  sleep(millis: number, signal?: AbortSignal): Promise<void>
}
