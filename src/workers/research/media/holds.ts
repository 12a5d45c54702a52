/** Files that are in use here. Other processes know it by their times alone, so these are set again and again. */
export interface Holds {
  /** Until the signal aborts. */
  keep(name: string, signal: AbortSignal): Promise<void>
  /** Sets the times of all. */
  touch(): Promise<void>
  close(): void
}

const longestPause = 60_000

/** What was not touched for `restSeconds` counts as no longer in use. */
export const createHolds = (touch: (name: string) => Promise<void>, restSeconds: number): Holds => {
  /** With how many use it. */
  const held = new Map<string, number>()
  const touchAll = async () => {
    for (const name of held.keys()) await touch(name)
  }
  const timer = setInterval(() => void touchAll(), Math.min(restSeconds * 250, longestPause)).unref()

  return {
    keep: async (name, signal) => {
      if (signal.aborted) return
      held.set(name, (held.get(name) ?? 0) + 1)
      const letGo = () => {
        const others = held.get(name)! - 1
        if (others > 0) held.set(name, others)
        else held.delete(name)
      }
      signal.addEventListener('abort', letGo, { once: true })
      await touch(name)
    },
    touch: touchAll,
    close: () => clearInterval(timer),
  }
}
