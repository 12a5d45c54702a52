import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  type ReadPosition,
  START,
} from '@eventstore/db-client'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Connection } from './connection.ts'
import { clientPosition, decodeEvent, positionOf } from './event-coding.ts'
import { isUnknownPosition } from './failures.ts'
import { pull, readAhead, untilOver } from './pull.ts'

/**
 * Called with each event and its position, in order; the event is undefined where it is one of the server's own. False ends
 * the scan.
 */
export type Take = (event: RecordedEvent | undefined, position: bigint) => boolean

export const everything = Number.MAX_SAFE_INTEGER

/** Parts of the log as they come. Leaving the loop cancels the read on the server. */
async function* scan(
  { client, timeoutMillis, places }: Connection,
  from: ReadPosition,
  direction: typeof FORWARDS | typeof BACKWARDS,
  maxCount: number,
): AsyncGenerator<readonly AllStreamResolvedEvent[]> {
  const read = client.readAll({ fromPosition: from, direction, maxCount }, { highWaterMark: readAhead })
  const parts = untilOver(
    pull<AllStreamResolvedEvent>(read, () => read.cancel()),
    timeoutMillis,
  )
  for await (const items of parts) {
    const last = items.at(-1)
    const position = last && positionOf(last)
    if (position !== undefined) places.note(position)
    yield items
  }
}

/**
 * Calls `take` with the events from a place on (inclusive, as the server reads; undefined: the first). True where the log
 * ended before `maxCount` of them.
 */
export const readForward = async (
  connection: Connection,
  from: bigint | undefined,
  maxCount: number,
  take: Take,
): Promise<boolean> => {
  const start = from === undefined || from < 0n ? START : clientPosition(from)
  let count = 0
  for await (const items of scan(connection, start, FORWARDS, maxCount))
    for (const resolved of items) {
      count++
      const here = positionOf(resolved)
      if (here !== undefined && !take(decodeEvent(resolved), here)) return false
    }
  return count < maxCount
}

/**
 * Calls `take` with the events from a place on, the newest first. True where `take` ended it, or where the log begins after
 * fewer than `maxCount`.
 */
export const readBackward = async (
  connection: Connection,
  from: bigint | 'end',
  maxCount: number,
  take: Take,
): Promise<boolean> => {
  let count = 0
  const start = from === 'end' ? END : clientPosition(from)
  for await (const items of scan(connection, start, BACKWARDS, maxCount))
    for (const resolved of items) {
      count++
      const here = positionOf(resolved)
      if (here !== undefined && !take(decodeEvent(resolved), here)) return true
    }
  return count < maxCount
}

/** The answer, or `unknown` where the server never gave out this position and reads nothing from it. */
export const unlessUnknown = async <A>(
  { places }: Connection,
  position: bigint,
  work: () => Promise<A>,
): Promise<A | 'unknown'> => {
  try {
    return await work()
  } catch (error) {
    if (!isUnknownPosition(error) || places.has(position)) throw error
    return 'unknown'
  }
}
