import type { EventBatch } from '../../ports/event-store.ts'
import { liveBatch } from './fold.ts'
import type { Projection } from './projection.ts'

/**
 * Joins batches while more are waiting: for many events that change rows all over a file, one large transaction costs a
 * fraction of many small ones.
 */
export interface Gathered {
  /** Returns all batches added since, if they are to be folded now; undefined while more are to come. */
  add(batch: EventBatch): EventBatch | undefined
  /** Forgets the added batches: they are read again. */
  clear(): void
}

/** A batch of fewer events costs little as a transaction of its own. */
const minGathered = 500

export const gathered = ({ weigh }: Projection): Gathered => {
  let waiting: EventBatch[] = []
  let weight = 0
  const clear = () => {
    waiting = []
    weight = 0
  }
  return {
    clear,
    add: (batch) => {
      waiting.push(batch)
      weight += weigh ? batch.events.reduce((sum, event) => sum + weigh(event), 0) : batch.events.length
      if (!batch.caughtUp && batch.events.length >= minGathered && weight < liveBatch) return undefined
      const all = waiting.length === 1 ? batch : { ...batch, events: waiting.flatMap(({ events }) => events) }
      clear()
      return all
    },
  }
}
