import type { Clock } from '../../ports/clock.ts'

/** Waits between looks at an empty queue: doubling from `minMillis` to `maxMillis`. */
export interface Backoff {
  readonly minMillis: number
  readonly maxMillis: number
}

/** The seed's: one minute, doubling, never longer than eight. */
export const defaultBackoff: Backoff = { minMillis: 60_000, maxMillis: 480_000 }

/** A queue that cannot be read is not empty: it is looked at again soon, and its back-off stays as it is. */
export const retryMillis = 5000

/** One counter a queue; a find sets it back, and word of new work sets all back. */
export const idleBackoff = (
  queues: number,
  clock: Clock,
  { minMillis, maxMillis }: Backoff = defaultBackoff,
) => {
  const fresh = () => ({ wait: minMillis, lookedAt: '', notBefore: 0 })
  const all = Array.from({ length: queues }, fresh)

  const pause = (queue: number, lookedAt: string, millis: number) =>
    Object.assign(all[queue]!, { lookedAt, notBefore: clock.monotonic() + millis })

  return {
    mayLook: (queue: number) => clock.monotonic() >= all[queue]!.notBefore,
    found: (queue: number) => {
      all[queue] = fresh()
    },
    empty: (queue: number, lookedAt: string) => {
      const one = all[queue]!
      pause(queue, lookedAt, one.wait)
      one.wait = Math.min(one.wait * 2, maxMillis)
    },
    failed: (queue: number, lookedAt: string) => {
      pause(queue, lookedAt, Math.min(retryMillis, minMillis))
    },
    reset: () => {
      for (const i of all.keys()) all[i] = fresh()
    },
    /** Milliseconds. */
    untilNextLook: () => Math.max(0, Math.min(...all.map(({ notBefore }) => notBefore)) - clock.monotonic()),
    /**
     * Is a task that is due then one that the last look could not have had? One that was due already is held by
     * somebody else, or the queue cannot be read: to look again at once would be to spin.
     */
    isNews: (queue: number, due: string) => due > all[queue]!.lookedAt,
  }
}
