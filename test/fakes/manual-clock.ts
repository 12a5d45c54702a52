import type { Clock } from '../../src/ports/clock.ts'

export interface ManualClock extends Clock {
  /** Moves time on and wakes whoever slept until then. */
  advance(millis: number): void
  /** How long each sleeper wanted to sleep, in the order they lay down. */
  readonly sleeps: readonly number[]
}

export const manualClock = (start = '2026-01-01T00:00:00.000Z'): ManualClock => {
  let now = Date.parse(start)
  const sleeps: number[] = []
  const sleepers = new Set<{ until: number; wake: () => void }>()
  return {
    sleeps,
    now: () => new Date(now).toISOString(),
    monotonic: () => now,
    sleep: (millis, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        sleeps.push(millis)
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: now + millis, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    advance: (millis) => {
      now += millis
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake()
    },
  }
}
