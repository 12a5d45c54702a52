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
type Take = (event: RecordedEvent | undefined, position: bigint) => boolean

const everything = Number.MAX_SAFE_INTEGER

/** Parts of the log as they come. Leaving the loop cancels the read on the server. */
async function* scan(
  { client, timeoutMillis }: Connection,
  from: ReadPosition,
  direction: typeof FORWARDS | typeof BACKWARDS,
  maxCount: number,
): AsyncGenerator<readonly AllStreamResolvedEvent[]> {
  const read = client.readAll({ fromPosition: from, direction, maxCount }, { highWaterMark: readAhead })
  yield* untilOver(
    pull<AllStreamResolvedEvent>(read, () => read.cancel()),
    timeoutMillis,
  )
}

/**
 * Calls `take` with at most `maxCount` events behind a position. The server reads from a position inclusively: the event
 * there is left out. A position that the server does not know is searched for from the beginning. True at the end of the log.
 */
export const scanForward = async (
  connection: Connection,
  after: bigint,
  maxCount: number,
  take: Take,
): Promise<boolean> => {
  let position = after
  let taken = 0
  const takeFrom = async (from: ReadPosition, max: number): Promise<boolean> => {
    let count = 0
    for await (const items of scan(connection, from, FORWARDS, max))
      for (const resolved of items) {
        count++
        const here = positionOf(resolved)
        if (here === undefined || here <= position) continue
        position = here
        if (!take(decodeEvent(resolved), here) || ++taken === maxCount) return false
      }
    return count < max
  }
  if (after < 0n) return takeFrom(START, maxCount)
  try {
    return await takeFrom(clientPosition(after), maxCount)
  } catch (error) {
    if (!isUnknownPosition(error)) throw error
    return takeFrom(START, everything)
  }
}

/**
 * Calls `take` with the events before a position, the newest first. It has nearly always enough after the first `few`, so
 * no more are asked for at first. A position that the server does not know is searched for from the end.
 */
export const scanBackward = async (
  connection: Connection,
  before: bigint | 'end',
  few: number,
  take: Take,
): Promise<void> => {
  let position = before
  /** True where `take` ended the scan, or the log was read to its beginning. */
  const takeFrom = async (from: bigint | 'end', max: number): Promise<boolean> => {
    let count = 0
    for await (const items of scan(connection, from === 'end' ? END : clientPosition(from), BACKWARDS, max))
      for (const resolved of items) {
        count++
        const here = positionOf(resolved)
        // Servers differ on whether reading back from a position includes it.
        if (here === undefined || (position !== 'end' && here >= position)) continue
        position = here
        if (!take(decodeEvent(resolved), here)) return true
      }
    return count < max
  }
  try {
    if (await takeFrom(before, few)) return
  } catch (error) {
    if (!isUnknownPosition(error)) throw error
    position = before
  }
  await takeFrom(position === before ? 'end' : position, everything)
}
