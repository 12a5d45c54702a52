import type { Hold } from '../../runtime/hold.ts'

/** A semaphore: the others wait in the order in which they came. */
export interface Queue {
  /** Resolves with its release. Throws the reason of the signal. */
  take(hold: Hold): Promise<() => void>
  /** Passes progress on to all who wait: they are not hung. */
  sharingProgress(hold: Hold): Hold
}

export const createQueue = (max: number): Queue => {
  let free = max
  /** In their order, with what starts them. */
  const waiting = new Map<Hold, () => void>()
  const end = () => {
    free++
    const [next] = waiting.values()
    next?.()
  }

  return {
    take: (hold) =>
      new Promise((resolve, reject) => {
        const { signal } = hold
        const leave = () => {
          waiting.delete(hold)
          signal.removeEventListener('abort', dropOut)
        }
        const begin = () => {
          leave()
          free--
          resolve(end)
        }
        const dropOut = () => {
          leave()
          reject(signal.reason)
        }
        if (signal.aborted) return reject(signal.reason)
        if (free > 0) return begin()
        waiting.set(hold, begin)
        signal.addEventListener('abort', dropOut, { once: true })
      }),
    sharingProgress: (hold) => ({
      signal: hold.signal,
      progress: () => {
        hold.progress()
        for (const { progress } of waiting.keys()) progress()
      },
    }),
  }
}
