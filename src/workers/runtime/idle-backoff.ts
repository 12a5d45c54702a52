import { type Backoff, backoffMillis } from '../../async/backoff.ts'
import type { Clock } from '../../ports/clock.ts'

/** Pauses between polls of an empty queue. */
export type IdleBackoff = Pick<Backoff, 'minMillis' | 'maxMillis'>

/** One minute, doubling, at most eight. */
const defaultBackoff: IdleBackoff = { minMillis: 60_000, maxMillis: 480_000 }

/** A queue that cannot be read is not empty: it is polled again soon, and its back-off stays as it is. */
export const retryMillis = 5000

/** Creates one back-off a queue. A found task resets it; news of work resets all. */
export const createIdleBackoff = (queues: number, clock: Clock, bounds: IdleBackoff = defaultBackoff) => {
  const fresh = () => ({ emptyPolls: 0, polledAt: '', notBefore: 0 })
  const all = Array.from({ length: queues }, fresh)

  const pause = (queue: number, polledAt: string, millis: number) =>
    Object.assign(all[queue]!, { polledAt, notBefore: clock.monotonic() + millis })

  return {
    mayPoll: (queue: number) => clock.monotonic() >= all[queue]!.notBefore,
    found: (queue: number) => {
      all[queue] = fresh()
    },
    empty: (queue: number, polledAt: string) => {
      const one = all[queue]!
      pause(queue, polledAt, backoffMillis(one.emptyPolls++, { ...bounds, jitter: 0 }))
    },
    failed: (queue: number, polledAt: string) => {
      pause(queue, polledAt, Math.min(retryMillis, bounds.minMillis))
    },
    reset: () => {
      for (const i of all.keys()) all[i] = fresh()
    },
    /** Milliseconds. */
    untilNextPoll: () => Math.max(0, Math.min(...all.map(({ notBefore }) => notBefore)) - clock.monotonic()),
    /** When it was found empty; undefined if something was found since, or nobody looked. */
    emptySince: (queue: number) => all[queue]!.polledAt || undefined,
    /**
     * True if the task became due after the last poll. A task that was due before is held by another worker, or the
     * queue cannot be read: polling at once would spin.
     */
    isNews: (queue: number, due: string) => due > all[queue]!.polledAt,
  }
}
