import type { Clock } from '../../../src/ports/clock.ts'

interface BatcherOptions<Item> {
  /** How long the first of a batch waits for others. */
  readonly lingerMillis: number
  /** So many are sent without waiting for more. */
  readonly enough: number
  /** How many of those waiting make the next batch; at least one. */
  readonly batchSize: (waiting: readonly Item[]) => number
  /** Must not reject. */
  readonly send: (batch: readonly Item[]) => Promise<void>
  readonly clock: Pick<Clock, 'sleep'>
}

export interface Batcher<Item> {
  add(items: readonly Item[]): void
  /** Removes all that wait, and returns them. */
  clear(): readonly Item[]
  /** Sends what waits, and never lingers again. */
  flush(): Promise<void>
}

/**
 * Gathers items and sends them in batches, one at a time, in order. While one is under way the next gathers, so only a
 * batch that starts from nothing lingers.
 */
export const createBatcher = <Item>(options: BatcherOptions<Item>): Batcher<Item> => {
  const { lingerMillis, enough, batchSize, send, clock } = options
  let waiting: Item[] = []
  let running: Promise<void> | undefined
  let full = new AbortController()
  let flushed = false

  const run = async (): Promise<void> => {
    if (!flushed && waiting.length < enough) await clock.sleep(lingerMillis, full.signal)
    while (waiting.length > 0) await send(waiting.splice(0, batchSize(waiting)))
    running = undefined
  }

  return {
    add: (items) => {
      for (const item of items) waiting.push(item)
      if (waiting.length >= enough) full.abort()
      if (running) return
      full = new AbortController()
      running = run()
    },
    clear: () => {
      const all = waiting
      waiting = []
      return all
    },
    flush: async () => {
      flushed = true
      full.abort()
      await running
    },
  }
}
