import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventBatch, EventFilter } from '../../../src/ports/event-store.ts'
import { createFilter } from '../filter.ts'
import type { Connection } from './connection.ts'
import { decodeEvent, isPosition, positionOf } from './event-coding.ts'
import { isSubscribedAgain } from './failures.ts'
import type { Reader } from './read.ts'
import { openSubscription } from './subscription.ts'
import type { Answer } from './wire/read-answer.ts'

/** After so long without an item, the log itself is read. */
const quietMillis = 300
const pageSize = 1024

/**
 * The events behind `after` that pass the filter, in batches, until `reached` says that a position is far enough or the
 * signal aborts. The server filters, and sends checkpoints now and then, but none for the last part of the log: after a
 * silence the log itself is read on. No event comes twice, whichever way it came. Throws what the client throws.
 */
export async function* catchUp(
  connection: Pick<Connection, 'calls' | 'places' | 'timeoutMillis'>,
  reader: Pick<Reader, 'page'>,
  after: bigint,
  filter: EventFilter,
  reached: (position: bigint) => boolean,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const wanted = createFilter(filter)
  let source = openSubscription(connection, after, filter, signal)
  let position = after
  let timeoutMillis = connection.timeoutMillis
  let brokenAt: bigint | undefined

  /** `broken` where the server ended it for a reason of its own, the first time at this position. */
  const next = async () => {
    try {
      return await source.next(timeoutMillis)
    } catch (error) {
      if (!isSubscribedAgain(error) || brokenAt === position) throw error
      brokenAt = position
      return 'broken'
    }
  }

  try {
    while (!signal.aborted && !reached(position)) {
      const before = position
      const items = await next()
      if (signal.aborted) return
      if (items === 'over') throw new Error('the server ended the subscription')
      let events: readonly RecordedEvent[]
      if (items === 'quiet' || items === 'broken') {
        const page = await reader.page(position, pageSize)
        position = page.position
        events = page.events.filter(wanted)
        if (items === 'broken') {
          // The page ends at a place that the server knows, also where the reader began at one that it does not.
          source.close()
          source = openSubscription(connection, position, filter, signal)
        }
        // At the end of this server's log. A position behind it is from another server of the cluster, which is ahead.
        timeoutMillis = page.end ? quietMillis : 0
      } else {
        const taken = take(items, position, wanted)
        position = taken.position
        events = taken.events
        timeoutMillis = taken.isEnd ? 0 : quietMillis
        if (position > before) connection.places.note(position)
      }
      if (position > before) yield { events, position, caughtUp: false }
    }
  } finally {
    source.close()
  }
}

interface Taken {
  /** Those behind the position that are wanted. */
  readonly events: readonly RecordedEvent[]
  /** Everything up to here was searched. */
  readonly position: bigint
  /** The server says that no more are waiting. */
  readonly isEnd: boolean
}

const take = (items: readonly Answer[], after: bigint, wanted: (event: RecordedEvent) => boolean): Taken => {
  const events: RecordedEvent[] = []
  let position = after
  let isEnd = false
  for (const item of items) {
    if ('kind' in item) {
      if (item.kind === 'caughtUp') isEnd = true
      if (item.kind === 'fellBehind') isEnd = false
      if (item.kind === 'checkpoint' && item.position > position && isPosition(item.position))
        position = item.position
      continue
    }
    const here = positionOf(item)
    if (here === undefined || here <= position) continue
    position = here
    const event = decodeEvent(item)
    if (event && wanted(event)) events.push(event)
  }
  return { events, position, isEnd }
}
