import { setImmediate } from 'node:timers/promises'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'

const pageSize = 2000

/**
 * What the log says behind a position up to now, for models that are folded from it; others have the processor between two
 * pages. Throws `UnavailableError`, also when `signal` aborts.
 */
export async function* logPages(
  eventStore: Pick<EventStore, 'readAll'>,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  for (let from = after; ; ) {
    await setImmediate()
    if (signal.aborted) throw new UnavailableError('what is folded from the log is no longer wanted')
    const page: EventBatch = await orThrow(eventStore.readAll(from, filter, pageSize))
    yield page
    if (page.caughtUp) return
    from = page.position
  }
}
