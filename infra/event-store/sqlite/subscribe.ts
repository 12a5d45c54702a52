import { setImmediate } from 'node:timers/promises'
import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import type { EventBatch } from '../../../src/ports/event-store.ts'
import type { Database } from '../../sqlite/database.ts'

/** The events behind `after` in batches, then new ones, until the signal aborts. The first batch comes even where it is empty. */
export async function* subscribe(
  db: Pick<Database, 'onChange'>,
  after: bigint,
  next: (after: bigint) => EventBatch,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  let position = after
  let first = true
  const change = createAutoResetEvent()
  const stopListening = db.onChange(change.set)
  signal.addEventListener('abort', change.set)
  try {
    while (!signal.aborted) {
      const batch = next(position)
      if (first || batch.position > position) {
        first = false
        position = batch.position
        yield batch
      }
      if (signal.aborted) return
      // Reads are synchronous: however long the log is, other work of the process has a turn between two of them.
      await (batch.caughtUp ? change.wait() : setImmediate())
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', change.set)
  }
}
