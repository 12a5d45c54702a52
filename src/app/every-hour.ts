import { HOUR } from '../domain/kernel/time.ts'
import type { Clock } from '../ports/clock.ts'

/** Work of a process that goes on until it is stopped. */
export interface Hourly {
  /** Resolves when nothing of it is under way any more. */
  readonly stop: () => Promise<void>
}

/** Does it after some milliseconds, and then whenever an hour has passed since. */
export const everyHour = (
  { clock }: { readonly clock: Clock },
  work: (signal: AbortSignal) => Promise<void>,
  firstAfter = 0,
): Hourly => {
  const stopping = new AbortController()
  const { signal } = stopping
  const goOn = async (): Promise<void> => {
    await clock.sleep(firstAfter, signal)
    while (!signal.aborted) {
      await work(signal)
      await clock.sleep(HOUR, signal)
    }
  }
  const done = goOn()
  return {
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}
