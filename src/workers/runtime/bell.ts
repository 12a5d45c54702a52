import { aborted } from '../../ports/aborted.ts'
import type { Clock } from '../../ports/clock.ts'

/** Wakes one waiter. A ring that comes before the wait is not lost. */
export const bell = (clock: Clock) => {
  let rung = false
  let wake = () => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    /** Until rung, or for `millis` at most. */
    wait: async (millis: number): Promise<void> => {
      if (!rung) {
        const over = new AbortController()
        wake = () => over.abort()
        await (Number.isFinite(millis) ? clock.sleep(millis, over.signal) : aborted(over.signal))
      }
      rung = false
    },
  }
}
