import type { Clock } from '../../src/ports/clock.ts'

export interface FakeClock extends Clock {
  /**
   * Moves time on, from one sleeper's waking to the next, and lets each get as far as it can before time goes on:
   * whoever wakes and sleeps again within `millis` wakes again.
   */
  advance(millis: number): Promise<void>
  /** Puts the time of day forth, or back where negative, as a person or a time server does: no time passes. */
  putForth(millis: number): void
  /** How many are asleep. */
  sleepers(): number
}

export const fakeClock = (start = '2026-01-01T00:00:00.000Z'): FakeClock => {
  let time = Date.parse(start)
  let ahead = 0
  const asleep = new Set<{ readonly until: number; readonly wake: () => void }>()

  return {
    now: () => new Date(time + ahead).toISOString(),
    monotonic: () => time,
    putForth: (millis) => {
      ahead += millis
    },
    sleep: (millis, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || millis <= 0) return resolve()
        const wake = () => {
          asleep.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: time + millis, wake }
        asleep.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    advance: async (millis) => {
      const end = time + millis
      for (;;) {
        await turns()
        const [next] = [...asleep].sort((a, b) => a.until - b.until)
        if (!next || next.until > end) break
        time = next.until
        next.wake()
      }
      time = end
    },
    sleepers: () => asleep.size,
  }
}

/** Lets everything that is ready run: fakes answer within a few turns of the event loop, none waits for real time. */
export const turns = async (count = 10): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for a condition, turn by turn; fails when it does not come. */
export const until = async (condition: () => boolean, what = condition.toString()): Promise<void> => {
  for (let i = 0; i < 100_000; i++) {
    if (condition()) return
    await turns(1)
  }
  throw new Error(`waited in vain: ${what}`)
}
