import type { Running } from './roles.ts'

/** Roles that begin when their dependencies are available. */
export interface RunningLater extends Running {
  /** Returns what they wait for, as a sentence; undefined once they have begun. */
  waitsFor(): string | undefined
  setWaitsFor(reason: string): void
  begin(running: Running): void
}

/** Nothing runs until `begin`; listeners for changes of views are called from then on. */
export const runningLater = (): RunningLater => {
  let running: Running | undefined
  let reason: string | undefined = 'the parts of Fonds are starting'
  const waiting = new Map<object, () => void>()

  return {
    get projections() {
      return running?.projections
    },
    get workers() {
      return running?.workers ?? []
    },
    logDamage: () => running?.logDamage(),
    whyBlocked: () => running?.whyBlocked() ?? [],
    whyIdle: () => running?.whyIdle() ?? [],
    whyUnsealed: () => running?.whyUnsealed() ?? [],
    onViewChange: (listener, projections) => {
      if (running) return running.onViewChange(listener, projections)
      const key = {}
      let stop: (() => void) | undefined
      waiting.set(key, () => {
        stop = running?.onViewChange(listener, projections)
      })
      return () => {
        waiting.delete(key)
        stop?.()
      }
    },
    waitsFor: () => reason,
    setWaitsFor: (why) => {
      reason = why
    },
    begin: (begun) => {
      running = begun
      reason = undefined
      for (const listen of waiting.values()) listen()
      waiting.clear()
    },
    stop: async (graceMillis) => running?.stop(graceMillis),
    abandon: async () => running?.abandon(),
  }
}
