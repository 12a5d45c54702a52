import type { Clock } from '../ports/clock.ts'
import { aborted } from './aborted.ts'
import { systemClock } from './system-clock.ts'

/** Wakes one waiter and resets itself. It may be set before anybody waits: the next wait then returns at once. */
export const createAutoResetEvent = (clock: Pick<Clock, 'sleep'> = systemClock) => {
  let isSet = false
  let wake = () => {}
  return {
    set: () => {
      isSet = true
      wake()
    },
    /** Waits until set, or for `millis` at most. */
    wait: async (millis = Number.POSITIVE_INFINITY): Promise<void> => {
      if (!isSet) {
        const over = new AbortController()
        // A reason of our own: the usual one is an exception with a stack, created at each wake.
        wake = () => over.abort('set')
        await (Number.isFinite(millis) ? clock.sleep(millis, over.signal) : aborted(over.signal))
      }
      isSet = false
    },
  }
}
