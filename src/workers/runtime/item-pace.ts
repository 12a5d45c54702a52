import type { Clock } from '../../ports/clock.ts'

/** A rate limit: the pause behind some items is as long as they may take at `itemsPerSecond`. */
export const itemPace =
  (itemsPerSecond: number, clock: Clock) =>
  (items: number, signal: AbortSignal): Promise<void> =>
    clock.sleep((items / itemsPerSecond) * 1000, signal)
