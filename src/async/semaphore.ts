import type { TaskContext } from './task-context.ts'

/** Limits how much work runs at once: the rest waits in the order of the calls. */
interface Semaphore {
  /**
   * Runs the work in its turn. Its progress counts for all who wait: they are not hung. Throws the reason of the
   * signal.
   */
  run<A>(context: TaskContext, work: (turn: TaskContext) => Promise<A>): Promise<A>
}

export const createSemaphore = (max: number): Semaphore => {
  let free = max
  /** In their order, each with the function that starts it. */
  const waiting = new Map<TaskContext, () => void>()

  const take = (context: TaskContext): Promise<void> =>
    new Promise((resolve, reject) => {
      const { signal } = context
      const leave = () => {
        waiting.delete(context)
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
      waiting.set(context, begin)
      signal.addEventListener('abort', dropOut, { once: true })
    })

  const release = () => {
    free++
    const [next] = waiting.values()
    next?.()
  }

  const sharingProgress = ({ signal, progress }: TaskContext): TaskContext => ({
    signal,
    progress: () => {
      progress()
      for (const other of waiting.keys()) other.progress()
    },
  })

  return {
    run: async (context, work) => {
      await take(context)
      try {
        return await work(sharingProgress(context))
      } finally {
        release()
      }
    },
  }
}
