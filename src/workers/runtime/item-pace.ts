import type { Clock } from '../../ports/clock.ts'

/** At most so many items a second: after taking some, rest for as long as they are worth. */
export const itemPace =
  (itemsPerSecond: number, clock: Clock) =>
  (items: number, signal: AbortSignal): Promise<void> =>
    clock.sleep((items / itemsPerSecond) * 1000, signal)
