import type { Hold } from './task-context.ts'

/** Limits how much work runs at once: the rest waits in the order of the calls. */
interface Semaphore {
  /**
   * Runs the work in its turn. Its progress counts for all who wait: they are not hung. Throws the reason of the
   * signal.
   */
  run<A>(hold: Hold, work: (turn: Hold) => Promise<A>): Promise<A>
}

export const createSemaphore = (max: number): Semaphore => {
  let free = max
  /** In their order, each with the function that starts it. */
  const waiting = new Map<Hold, () => void>()

  const take = (hold: Hold): Promise<void> =>
    new Promise((resolve, reject) => {
      const { signal } = hold
      const leave = () => {
        waiting.delete(hold)
        signal.removeEventListener('abort', dropOut)
      }
      const begin = () => {
        leave()
        free--
        resolve()
      }
      const dropOut = () => {
        leave()
        reject(signal.reason)
      }
      if (signal.aborted) return reject(signal.reason)
      if (free > 0) return begin()
      waiting.set(hold, begin)
      signal.addEventListener('abort', dropOut, { once: true })
    })

  const release = () => {
    free++
    const [next] = waiting.values()
    next?.()
  }

  const sharingProgress = ({ signal, progress }: Hold): Hold => ({
    signal,
    progress: () => {
      progress()
      for (const other of waiting.keys()) other.progress()
    },
  })

  return {
    run: async (hold, work) => {
      await take(hold)
      try {
        return await work(sharingProgress(hold))
      } finally {
        release()
      }
    },
  }
}
