import type { Clock } from '../../ports/clock.ts'

/**
 * A shared rate limit: the pause after some items is as long as they, and those before them, may take at
 * `itemsPerSecond`.
 */
export const itemPace = (itemsPerSecond: number, clock: Clock) => {
  let freeAt = 0
  return (items: number, signal: AbortSignal): Promise<void> => {
    const now = clock.monotonic()
    freeAt = Math.max(freeAt, now) + (items / itemsPerSecond) * 1000
    return clock.sleep(freeAt - now, signal)
  }
}
