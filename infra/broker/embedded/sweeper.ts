import type { Clock } from '../../../src/ports/clock.ts'

interface SweeperOptions {
  readonly sweep: () => Promise<unknown>
  readonly everyMillis: number
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Sweeps again and again. Returns the way to stop it, which resolves after the sweep under way. */
export const startSweeper = ({ sweep, everyMillis, clock, onError }: SweeperOptions) => {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(everyMillis, stopping.signal)
      if (stopping.signal.aborted) return
      await sweep().catch(onError)
    }
  }
  const running = run()
  return async (): Promise<void> => {
    stopping.abort()
    await running
  }
}
