import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  type ReadPosition,
  type ResolvedEvent,
  START,
} from '@eventstore/db-client'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { type EventBatch, type EventFilter, mostLookedAt } from '../../../src/ports/event-store.ts'
import { passes } from '../passes.ts'
import type { Connection } from './connection.ts'
import { decodeEvent, placeAt, positionOf } from './event-coding.ts'
import { isMissing, isUnknownPlace } from './failures.ts'
import { collect, pull, readAhead, untilOver } from './pull.ts'

/** A stretch of the log, read forward. */
export interface Page {
  /** Without the server's own. */
  readonly events: readonly RecordedEvent[]
  /** Everything up to here was looked at. */
  readonly position: bigint
  /** Nothing more was there. */
  readonly end: boolean
}

/** One after the other; an event of the server's own has no face but a place. False where that was enough. */
type Take = (event: RecordedEvent | undefined, position: bigint) => boolean

const everything = Number.MAX_SAFE_INTEGER

/** Reading throws what the client throws; a missing stream is no fault. */
export interface Reader {
  read(
    stream: string,
    from: bigint | 'start' | 'end',
    direction: 'forward' | 'backward',
    limit: number,
  ): Promise<readonly RecordedEvent[]>
  /** What lies behind a position: `size` events at most, with the server's own. */
  page(after: bigint, size: number): Promise<Page>
  readAll(after: bigint, filter: EventFilter, limit: number): Promise<EventBatch>
  readBack(before: bigint | 'end', limit: number): Promise<readonly RecordedEvent[]>
  head(): Promise<bigint>
}

export const eventReader = ({ client, patience }: Connection): Reader => {
  const options = { highWaterMark: readAhead }

  const readStream = async (
    stream: string,
    from: bigint | 'start' | 'end',
    direction: 'forward' | 'backward',
    limit: number,
  ): Promise<readonly ResolvedEvent[]> => {
    const read = client.readStream(
      stream,
      {
        fromRevision: from === 'start' ? START : from === 'end' ? END : from,
        direction: direction === 'forward' ? FORWARDS : BACKWARDS,
        maxCount: limit,
      },
      options,
    )
    return collect<ResolvedEvent>(read, () => read.cancel(), patience)
  }

  /** What waits of the log, again and again; whoever has enough leaves, and the server sends no more. */
  async function* scan(
    from: ReadPosition,
    direction: typeof FORWARDS | typeof BACKWARDS,
    maxCount: number,
  ): AsyncGenerator<readonly AllStreamResolvedEvent[]> {
    const read = client.readAll({ fromPosition: from, direction, maxCount }, options)
    yield* untilOver(
      pull<AllStreamResolvedEvent>(read, () => read.cancel()),
      patience,
    )
  }

  /**
   * Takes what lies behind a position, until `take` has enough. The server reads from a place that it gave out, that
   * included: it is left out here. A place that it does not know is looked for from the beginning. True at the end of
   * the log.
   */
  const forward = async (after: bigint, maxCount: number, take: Take): Promise<boolean> => {
    let position = after
    let taken = 0
    const takeFrom = async (place: ReadPosition, most: number): Promise<boolean> => {
      let count = 0
      for await (const items of scan(place, FORWARDS, most))
        for (const resolved of items) {
          count++
          const here = positionOf(resolved)
          if (here === undefined || here <= position) continue
          position = here
          if (!take(decodeEvent(resolved), here) || ++taken === maxCount) return false
        }
      return count < most
    }
    if (after < 0n) return takeFrom(START, maxCount)
    try {
      return await takeFrom(placeAt(after), maxCount)
    } catch (error) {
      if (!isUnknownPlace(error)) throw error
      return takeFrom(START, everything)
    }
  }

  /**
   * Takes what lies before a position, the newest first, until `take` has enough. That is nearly always among the first
   * few, and then the server need not send more. A place that it does not know is looked for from the end.
   */
  const backward = async (before: bigint | 'end', few: number, take: Take): Promise<void> => {
    let position = before
    /** True where that was enough, or all. */
    const takeFrom = async (place: bigint | 'end', most: number): Promise<boolean> => {
      let count = 0
      for await (const items of scan(place === 'end' ? END : placeAt(place), BACKWARDS, most))
        for (const resolved of items) {
          count++
          const here = positionOf(resolved)
          // Servers differ on whether the place itself belongs to what is read back from it.
          if (here === undefined || (position !== 'end' && here >= position)) continue
          position = here
          if (!take(decodeEvent(resolved), here)) return true
        }
      return count < most
    }
    try {
      if (await takeFrom(before, few)) return
    } catch (error) {
      if (!isUnknownPlace(error)) throw error
      position = before
    }
    await takeFrom(position === before ? 'end' : position, everything)
  }

  // The end of the log may be deep under the server's own events: what was looked through once is not again.
  let known = { head: -1n, end: -1n }

  return {
    read: async (stream, from, direction, limit) => {
      if (limit <= 0 || (typeof from === 'bigint' && from < 0n && direction === 'backward')) return []
      try {
        const read =
          from === 'end'
            ? await readStream(stream, from, 'backward', direction === 'forward' ? 1 : limit)
            : await readStream(
                stream,
                typeof from === 'bigint' && from < 0n ? 'start' : from,
                direction,
                limit,
              )
        return read.map(decodeEvent).filter((event) => event !== undefined)
      } catch (error) {
        if (isMissing(error)) return []
        throw error
      }
    },

    page: async (after, size) => {
      const events: RecordedEvent[] = []
      let position = after
      const end = await forward(after, size + 1, (event, here) => {
        if (event) events.push(event)
        position = here
        return true
      })
      return { events, position, end }
    },

    readAll: async (after, filter, limit) => {
      const wanted = passes(filter)
      const events: RecordedEvent[] = []
      let position = after
      const take: Take = (event, here) => {
        position = here
        if (event && wanted(event)) events.push(event)
        return events.length < limit
      }
      // Nobody knows how much has to be looked at to find so many that pass.
      const isFiltered = filter.categories !== undefined || filter.types !== undefined
      const size = isFiltered ? Math.max(mostLookedAt, limit) : limit + 64
      for (;;) {
        const caughtUp = await forward(position, size, take)
        if (caughtUp || isFiltered || events.length >= limit) return { events, position, caughtUp }
      }
    },

    readBack: async (before, limit) => {
      if (before !== 'end' && before <= 0n) return []
      const events: RecordedEvent[] = []
      await backward(before, limit + 16, (event) => {
        if (event) events.push(event)
        return events.length < limit
      })
      return events
    },

    head: async () => {
      let head = -1n
      let end: bigint | undefined
      await backward('end', 16, (event, here) => {
        end ??= here
        // A log that was put back from an older copy ends earlier than it did.
        if (end < known.end) known = { head: -1n, end: -1n }
        if (here <= known.end) head = known.head
        else if (event) head = here
        else return true
        return false
      })
      known = { head, end: end ?? -1n }
      return head
    },
  }
}
