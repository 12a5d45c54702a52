import { UnavailableError } from '../async/unavailable.ts'
import type { System } from './system.ts'

const pollMillis = 500

/** Calls back when views have moved on, for processes that fold none themselves: other processes can only be looked at. */
export const pollForChanges = (
  { viewStore, clock }: Pick<System, 'viewStore' | 'clock'>,
  onMove: () => void,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping

  const look = (before: string): string => {
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

  const watching = async () => {
    for (let seen = look(''); ; ) {
      await clock.sleep(pollMillis, signal)
      if (signal.aborted) return
      const now = look(seen)
      if (now !== seen) onMove()
      seen = now
    }
  }
  const watched = watching()

  return {
    stop: async () => {
      stopping.abort()
      await watched
    },
  }
}
