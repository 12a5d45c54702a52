import { TimedOut } from './failures.ts'

export type Turns = <A>(call: () => Promise<A>) => Promise<A>

/**
 * Lets `max` calls be under way at once: the others wait, in their order, and their deadlines do not run yet. Were
 * thousands sent at once, a busy server would answer none of them in time, and all would be sent again. Where one has no
 * answer in time, those that wait fail with it.
 */
export const createTurns = (max: number): Turns => {
  let free = max
  let waiting: { readonly begin: () => void; readonly drop: (reason: unknown) => void }[] = []

  const turn = (): Promise<void> | undefined => {
    if (free > 0) {
      free--
      return undefined
    }
    return new Promise((begin, drop) => waiting.push({ begin, drop }))
  }

  const over = (): void => {
    const next = waiting.shift()
    if (next) next.begin()
    else free++
  }

  const dropAll = (reason: unknown): void => {
    const dropped = waiting
    waiting = []
    for (const { drop } of dropped) drop(reason)
  }

  return async (call) => {
    const until = turn()
    if (until) await until
    try {
      return await call()
    } catch (error) {
      if (error instanceof TimedOut) dropAll(error)
      throw error
    } finally {
      over()
    }
  }
}
