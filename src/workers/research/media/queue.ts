import type { Hold } from '../recording.ts'

/** Lets so many work at once; the others wait in the order they came. */
export interface Queue {
  /** Resolves with the end of one's turn. Throws what the signal aborts with. */
  take(hold: Hold): Promise<() => void>
  /** Its progress is also that of all who wait: they are not hung. */
  telling(hold: Hold): Hold
}

export const createQueue = (most: number): Queue => {
  let free = most
  /** In the order they came, with what begins their turn. */
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
    telling: (hold) => ({
      signal: hold.signal,
      progress: () => {
        hold.progress()
        for (const { progress } of waiting.keys()) progress()
      },
    }),
  }
}
