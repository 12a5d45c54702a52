import { UnavailableError } from '../async/unavailable.ts'
import type { ViewMove } from '../projections/runtime/run-projection.ts'
import type { System } from './system.ts'

const pollMillis = 500

/** Where the generations of each projection stand. */
type Standing = ReadonlyMap<string, string>

const standingOf = (generations: ReturnType<System['viewStore']['generations']>): string =>
  generations.map(({ id, checkpoint }) => `${id}:${checkpoint.position}`).join()

/** Calls back when views have moved on, in a process that folds none: views that another process folds have to be polled. */
export const pollForChanges = (
  { viewStore, clock }: Pick<System, 'viewStore' | 'clock'>,
  onMove: (move: ViewMove) => void,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping

  const poll = (before: Standing): Standing => {
    try {
      const all = Map.groupBy(viewStore.generations(), ({ projection }) => projection)
      return new Map([...all].map(([projection, those]) => [projection, standingOf(those)]))
    } catch (error) {
      if (error instanceof UnavailableError) return before
      throw error
    }
  }

  const polling = async () => {
    for (let seen = poll(new Map()); ; ) {
      await clock.sleep(pollMillis, signal)
      if (signal.aborted) return
      const now = poll(seen)
      for (const [projection, standing] of now)
        if (standing !== seen.get(projection)) onMove({ projection, hasNews: true })
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
