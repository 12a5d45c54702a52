/** Files in use by this process. Other processes recognise them by file times, which are refreshed. */
export interface FilesInUse {
  /** Marks a file as in use until the signal aborts. */
  keep(name: string, signal: AbortSignal): Promise<void>
  /** Refreshes the times of all. */
  touch(): Promise<void>
  close(): void
}

const maxPauseMillis = 60_000

/** A file that was not touched for `restSeconds` counts as unused. */
export const createFilesInUse = (touch: (name: string) => Promise<void>, restSeconds: number): FilesInUse => {
  /** Name → number of users. */
  const held = new Map<string, number>()
  const touchAll = async () => {
    for (const name of held.keys()) await touch(name)
  }
  const timer = setInterval(() => void touchAll(), Math.min(restSeconds * 250, maxPauseMillis)).unref()

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
