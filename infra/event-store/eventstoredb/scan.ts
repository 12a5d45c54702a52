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
 * Takes one event after the other; one of the server's own is undefined and has a position all the same. False where
 * that was enough.
 */
type Take = (event: RecordedEvent | undefined, position: bigint) => boolean

const everything = Number.MAX_SAFE_INTEGER

/** What waits of the log, again and again; whoever has enough leaves, and the server sends no more. */
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
 * Takes `maxCount` events at most from behind a position, until `take` has enough. The server reads from a position
 * inclusively: that one is left out here. One that it does not know is searched for from the beginning. True at the end of
 * the log.
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
 * Takes what lies before a position, the newest first, until `take` has enough. That is nearly always among the first
 * few, and then the server need not send more. A position that it does not know is searched for from the end.
 */
export const scanBackward = async (
  connection: Connection,
  before: bigint | 'end',
  few: number,
  take: Take,
): Promise<void> => {
  let position = before
  /** True where that was enough, or all. */
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
