import { DAY, millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'

interface Alarm {
  /** Replaces an earlier alarm. */
  set(at: string, ring: (signal: AbortSignal) => void): void
  /** Aborts the signal of a ringing alarm. */
  cancel(): void
}

/** A timer that rings once, at a time or just after it. */
export const createAlarm = (clock: Clock): Alarm => {
  let current: AbortController | undefined

  const off = () => {
    current?.abort()
    current = undefined
  }

  /** A timer lasts some weeks at most, and a clock may be corrected meanwhile: it is read again each day. */
  const reach = async (at: string, signal: AbortSignal): Promise<void> => {
    do await clock.sleep(Math.min(Math.max(millisBetween(clock.now(), at), 1), DAY), signal)
    while (!signal.aborted && clock.now() < at)
  }

  return {
    cancel: off,
    set(at, ring) {
      off()
      current = new AbortController()
      const { signal } = current
      void reach(at, signal).then(() => {
        if (!signal.aborted) ring(signal)
      })
    },
  }
}
