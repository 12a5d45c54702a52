import type { Clock } from '../../ports/clock.ts'

/** Waits between looks at an empty queue: doubling from `minMillis` to `maxMillis`. */
export interface Backoff {
  readonly minMillis: number
  readonly maxMillis: number
}

/** The seed's: one minute, doubling, never longer than eight. */
export const defaultBackoff: Backoff = { minMillis: 60_000, maxMillis: 480_000 }

/** One counter a queue; any find sets it back, and so does word of new work. */
export const idleBackoff = (
  queues: number,
  clock: Clock,
  { minMillis, maxMillis }: Backoff = defaultBackoff,
) => {
  const waits = Array<number>(queues).fill(minMillis)
  const notBefore = Array<number>(queues).fill(0)
  const now = () => Date.parse(clock.now())

  return {
    mayLook: (queue: number) => now() >= notBefore[queue]!,
    found: (queue: number) => {
      waits[queue] = minMillis
      notBefore[queue] = 0
    },
    empty: (queue: number) => {
      notBefore[queue] = now() + waits[queue]!
      waits[queue] = Math.min(waits[queue]! * 2, maxMillis)
    },
    reset: () => {
      waits.fill(minMillis)
      notBefore.fill(0)
    },
    /** Milliseconds. */
    untilNextLook: () => Math.max(0, Math.min(...notBefore) - now()),
  }
}
