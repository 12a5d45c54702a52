import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { EventBatch, EventFilter } from '../../../src/ports/event-store.ts'
import { createFilter } from '../filter.ts'
import { catchUp } from './catch-up.ts'
import type { Connection } from './connection.ts'
import { reasonOf } from './failures.ts'
import type { Reader } from './read.ts'
import type { Tail } from './tail.ts'

const batchSize = 1000

/**
 * Serves a subscriber from the recent events of the tail, through its own filter. One that is behind them catches up by a
 * subscription of its own first. Throws `UnavailableError` where the tail failed to connect since the subscriber came.
 */
export const createSubscribe = (connection: Connection, reader: Reader, tail: Tail) =>
  async function* (after: bigint, filter: EventFilter, signal: AbortSignal): AsyncGenerator<EventBatch> {
    const wanted = createFilter(filter)
    const change = createAutoResetEvent()
    let known = tail.failures().count
    let position = after
    /** The last batch was marked as caught up. */
    let markedCaughtUp = false
    const stopListening = tail.onChange(change.set)
    signal.addEventListener('abort', change.set)
    tail.hurry()
    try {
      while (!signal.aborted) {
        const recent = tail.recent()
        if (recent && position < recent.floor()) {
          markedCaughtUp = false
          const reached = (to: bigint) => to >= recent.floor()
          try {
            for await (const batch of catchUp(connection, reader, position, filter, reached, signal)) {
              position = batch.position
              yield batch
            }
          } catch (error) {
            throw new UnavailableError(reasonOf(connection.name, error, 'all'), { cause: error })
          }
          continue
        }
        if (recent) {
          const page = recent.after(position, batchSize, wanted)
          const caughtUp = tail.live() && page.position >= recent.top()
          // An empty batch tells the reader that the log can be read, so none is sent while the server is away.
          if (page.position > position || (caughtUp && !markedCaughtUp)) {
            markedCaughtUp = caughtUp
            position = page.position
            yield { events: page.events, position, caughtUp }
            continue
          }
        }
        const { count, reason } = tail.failures()
        if (tail.live()) known = count
        else if (count > known) throw new UnavailableError(reason)
        await change.wait()
      }
    } finally {
      stopListening()
      signal.removeEventListener('abort', change.set)
    }
  }
