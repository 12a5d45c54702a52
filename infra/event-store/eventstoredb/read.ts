import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { maxScanned } from '../../../src/domain/kernel/event.ts'
import type { BatchWithBytes, EventBatch, EventFilter, StoredBatch } from '../../../src/ports/event-store.ts'
import { createFilter } from '../filter.ts'
import type { Connection } from './connection.ts'
import { type Coding, decodedEvents, eventsWithBytes, storedEvents } from './event-coding.ts'
import { createStreamReader, type ReadStream } from './read-stream.ts'
import type { Take } from './scan.ts'
import { scanBackward, scanForward } from './search.ts'

/** A part of the log, read forward. */
interface Page {
  /** Without the server's own. */
  readonly events: readonly RecordedEvent[]
  /** Everything up to here was read. */
  readonly position: bigint
  /** Nothing more was there. */
  readonly end: boolean
}

/** Throws what the client throws; a missing stream reads as empty. */
export interface Reader {
  readonly read: ReadStream
  /** The events behind a position: at most `size`, counting the server's own. */
  page(after: bigint, size: number): Promise<Page>
  readAll(after: bigint, filter: EventFilter, limit: number): Promise<EventBatch>
  readStored(after: bigint, filter: EventFilter, limit: number): Promise<StoredBatch>
  readWithBytes(after: bigint, filter: EventFilter, limit: number): Promise<BatchWithBytes>
  readBack(before: bigint | 'end', limit: number): Promise<readonly RecordedEvent[]>
  head(): Promise<bigint>
}

export const createEventReader = (connection: Connection): Reader => ({
  read: createStreamReader(connection),

  page: async (after, size) => {
    const events: RecordedEvent[] = []
    let position = after
    const take: Take = (event, here) => {
      if (event) events.push(event)
      position = here
      return true
    }
    const end = await scanForward(connection, after, size + 1, take, decodedEvents)
    return { events, position, end }
  },

  readAll: (after, filter, limit) => readPage(connection, after, filter, limit, decodedEvents),
  readStored: (after, filter, limit) => readPage(connection, after, filter, limit, storedEvents),
  readWithBytes: async (after, filter, limit) => {
    const { events, ...rest } = await readPage(connection, after, filter, limit, eventsWithBytes)
    return {
      events: events.map(({ bytes, ...event }) => event),
      bytes: events.map(({ bytes }) => bytes),
      ...rest,
    }
  },

  readBack: async (before, limit) => {
    if (before !== 'end' && before <= 0n) return []
    const events: RecordedEvent[] = []
    await scanBackward(connection, before, limit + 16, (event) => {
      if (event) events.push(event)
      return events.length < limit
    })
    return events
  },

  head: createHeadReader(connection),
})

const readPage = async <A extends Pick<RecordedEvent, 'stream' | 'type'>>(
  connection: Connection,
  after: bigint,
  filter: EventFilter,
  limit: number,
  coding: Coding<A>,
) => {
  const wanted = createFilter(filter)
  const events: A[] = []
  let position = after
  const take: Take<A> = (event, here) => {
    position = here
    if (event && wanted(event)) events.push(event)
    return events.length < limit
  }
  // How many events have to be read until so many pass is unknown.
  const isFiltered = filter.categories !== undefined || filter.types !== undefined
  const size = isFiltered ? Math.max(maxScanned, limit) : limit + 8
  for (;;) {
    const caughtUp = await scanForward(connection, position, size, take, coding)
    if (caughtUp || isFiltered || events.length >= limit) return { events, position, caughtUp }
  }
}

/** Many of the server's own events may come behind our newest. Those that were read once are not read again. */
const createHeadReader = (connection: Connection): Reader['head'] => {
  let known = { head: -1n, end: -1n }
  return async () => {
    let head = -1n
    let end: bigint | undefined
    await scanBackward(connection, 'end', 16, (event, here) => {
      end ??= here
      // A log that was restored from an older backup ends earlier than it did.
      if (end < known.end) known = { head: -1n, end: -1n }
      if (here <= known.end) head = known.head
      else if (event) head = here
      else return true
      return false
    })
    known = { head, end: end ?? -1n }
    return head
  }
}
