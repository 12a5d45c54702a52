import { UnavailableError } from '../async/unavailable.ts'
import type { System } from './system.ts'

const pollMillis = 500

/** Calls back when views have moved on, in a process that folds none: views that another process folds have to be polled. */
export const pollForChanges = (
  { viewStore, clock }: Pick<System, 'viewStore' | 'clock'>,
  onMove: () => void,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping

  const poll = (before: string): string => {
    try {
      return viewStore
        .generations()
        .map(({ id, checkpoint }) => `${id}:${checkpoint.position}`)
        .join()
    } catch (error) {
      if (error instanceof UnavailableError) return before
      throw error
    }
  }

  const polling = async () => {
    for (let seen = poll(''); ; ) {
      await clock.sleep(pollMillis, signal)
      if (signal.aborted) return
      const now = poll(seen)
      if (now !== seen) onMove()
      seen = now
    }
  }
  const running = polling()

  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
