import type { Hold } from './hold.ts'

/** Work that may be done only so often at once: the others wait in the order in which they came. */
interface Semaphore {
  /** Does the work in its turn. Progress counts for all who wait: they are not hung. Throws the reason of the signal. */
  run<A>(hold: Hold, work: (turn: Hold) => Promise<A>): Promise<A>
}

export const createSemaphore = (max: number): Semaphore => {
  let free = max
  /** In their order, with what starts them. */
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
