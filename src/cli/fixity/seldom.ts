import type { Clock } from '../../ports/clock.ts'

const minMillis = 100
/** Of all time. */
const part = 1 / 100

/** Does the work at some of the calls: counting takes long where there is much, and stays a small part of the time. */
export const seldom = (clock: Pick<Clock, 'monotonic'>, work: () => void): (() => void) => {
  let notBefore = Number.NEGATIVE_INFINITY
  return () => {
    const began = clock.monotonic()
    if (began < notBefore) return
    work()
    const now = clock.monotonic()
    notBefore = now + Math.max(minMillis, (now - began) / part)
  }
}
