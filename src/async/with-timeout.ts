import type { Clock } from '../ports/clock.ts'
import { systemClock } from './system-clock.ts'

/** Returns the result of the work; if that takes longer, what `onTimeout` returns or throws. The work itself goes on. */
export const withTimeout = async <A, B>(
  work: Promise<A>,
  millis: number,
  onTimeout: () => B,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Promise<A | B> => {
  const over = new AbortController()
  const late = clock.sleep(millis, over.signal)
  try {
    const inTime = await Promise.race([work.then((value) => ({ value })), late])
    return inTime ? inTime.value : onTimeout()
  } finally {
    over.abort()
  }
}
