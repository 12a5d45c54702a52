import type { Clock } from '../../ports/clock.ts'

const minMillis = 100
/** Largest share of the time. */
const part = 1 / 100

/**
 * Runs the work at some of the calls: counting takes long if there are many items, and must remain a small part of the
 * time.
 */
export const throttled = (clock: Pick<Clock, 'monotonic'>, work: () => void): (() => void) => {
  let notBefore = Number.NEGATIVE_INFINITY
  return () => {
    const began = clock.monotonic()
    if (began < notBefore) return
    work()
    const now = clock.monotonic()
    notBefore = now + Math.max(minMillis, (now - began) / part)
  }
}
