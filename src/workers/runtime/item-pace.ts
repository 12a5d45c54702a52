import type { Clock } from '../../ports/clock.ts'

/** A rate limit in items per second: after taking some, wait for as long as they are worth. */
export const itemPace =
  (itemsPerSecond: number, clock: Clock) =>
  (items: number, signal: AbortSignal): Promise<void> =>
    clock.sleep((items / itemsPerSecond) * 1000, signal)
