import { addMillis, DAY, millisBetween } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'

export interface Alarm {
  /** In the place of whatever it was set to. */
  set(at: string, ring: (signal: AbortSignal) => void): void
  /** The signal of one that rings already aborts. */
  off(): void
}

/** Rings once, at a time or just after it. */
export const newAlarm = (clock: Clock): Alarm => {
  let current: AbortController | undefined

  const off = () => {
    current?.abort()
    current = undefined
  }

  /** A timer does not reach further than some weeks, and a clock may be put right meanwhile. */
  const reach = async (at: string, signal: AbortSignal): Promise<void> => {
    do await clock.sleep(Math.min(Math.max(millisBetween(clock.now(), at), 1), DAY), signal)
    while (!signal.aborted && clock.now() < at)
  }

  return {
    off,
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

/** Some time after now, for what is to be tried again. */
export const soon = (clock: Clock, millis: number): string =>
  addMillis(clock.now(), Math.round(millis * (0.5 + Math.random())))
