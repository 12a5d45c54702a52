import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'

/** How much work there is: its milliseconds in the last seconds, those longer ago counting less. */
export interface Load {
  add(millis: number): void
  millis(): number
}

const decayMillis = 5 * SECOND

export const createLoad = (clock: Pick<Clock, 'monotonic'>): Load => {
  let level = 0
  let at = clock.monotonic()
  const millis = (): number => {
    const now = clock.monotonic()
    level *= Math.exp((at - now) / decayMillis)
    at = now
    return level
  }
  return {
    add: (more) => {
      level = millis() + more
    },
    millis,
  }
}
