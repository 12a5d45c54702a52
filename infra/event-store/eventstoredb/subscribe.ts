import { type EventBatch, type EventFilter, EventStoreAway } from '../../../src/ports/event-store.ts'
import { passes } from '../passes.ts'
import { catchUp } from './catch-up.ts'
import type { Connection } from './connection.ts'
import { reasonOf } from './failures.ts'
import type { Reader } from './read.ts'
import type { Tail } from './tail.ts'

const batchSize = 1000

/**
 * A subscriber is served from the recent events of the tail, by its own filter; where it stands below them, it catches
 * up by a subscription of its own first. Throws `EventStoreAway` when the tail could not connect since it was asked.
 */
export const subscriber = (connection: Connection, reader: Reader, tail: Tail) =>
  async function* (after: bigint, filter: EventFilter, signal: AbortSignal): AsyncGenerator<EventBatch> {
    const wanted = passes(filter)
    let known = tail.failures().count
    let position = after
    /** Was the last thing said that nothing more was waiting? */
    let saidSo = false
    let changed = false
    let wake = () => {}
    const onChange = () => {
      changed = true
      wake()
    }
    const stopListening = tail.onChange(onChange)
    signal.addEventListener('abort', onChange)
    tail.hurry()
    try {
      while (!signal.aborted) {
        changed = false
        const recent = tail.recent()
        if (recent && position < recent.floor()) {
          saidSo = false
          const reached = (to: bigint) => to >= recent.floor()
          try {
            for await (const batch of catchUp(connection, reader, position, filter, reached, signal)) {
              position = batch.position
              yield batch
            }
          } catch (error) {
            throw new EventStoreAway(reasonOf(connection.name, error), { cause: error })
          }
          continue
        }
        if (recent) {
          const looked = recent.after(position, batchSize, wanted)
          const caughtUp = tail.live() && looked.position >= recent.top()
          // An empty batch would tell the reader, wrongly, that the log can be read while it is away.
          if (looked.position > position || (caughtUp && !saidSo)) {
            saidSo = caughtUp
            position = looked.position
            yield { events: looked.events, position, caughtUp }
            continue
          }
        }
        const { count, reason } = tail.failures()
        if (tail.live()) known = count
        else if (count > known) throw new EventStoreAway(reason)
        if (!changed)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    } finally {
      stopListening()
      signal.removeEventListener('abort', onChange)
    }
  }
