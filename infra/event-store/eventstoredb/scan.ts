import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Connection } from './connection.ts'
import { type Coding, decodedEvents, knownPosition, positionOf } from './event-coding.ts'
import { isUnknownPosition } from './failures.ts'
import { pull, untilOver } from './pull.ts'
import type { Answer } from './wire/read-answer.ts'
import { allRequest, type Direction, type Place, readPath } from './wire/read-request.ts'

/**
 * Called with each event and its position, in order; the event is undefined where it is one of the server's own. False ends
 * the scan.
 */
export type Take<A = RecordedEvent> = (event: A | undefined, position: bigint) => boolean

export const everything = Number.MAX_SAFE_INTEGER

/** Parts of the log as they come. Leaving the loop cancels the read on the server. */
async function* scan(
  { calls, timeoutMillis, places }: Connection,
  from: Place,
  direction: Direction,
  maxCount: number,
  decode: Coding<unknown>['answer'],
): AsyncGenerator<readonly Answer[]> {
  const answers = pull(calls.read(readPath, allRequest(from, direction, maxCount), decode))
  for await (const items of untilOver(answers, timeoutMillis)) {
    const last = items.at(-1)
    const position = last && !('kind' in last) ? positionOf(last) : undefined
    if (position !== undefined) places.note(position)
    yield items
  }
}

/**
 * Calls `take` with the events from a place on (inclusive, as the server reads; undefined: the first). True where the log
 * ended before `maxCount` of them.
 */
export const readForward = async <A>(
  connection: Connection,
  from: bigint | undefined,
  maxCount: number,
  take: Take<A>,
  coding: Coding<A>,
): Promise<boolean> => {
  const start = from === undefined || from < 0n ? 'start' : knownPosition(from)
  let count = 0
  for await (const items of scan(connection, start, 'forward', maxCount, coding.answer))
    for (const resolved of items) {
      if ('kind' in resolved) continue
      count++
      const here = positionOf(resolved)
      if (here !== undefined && !take(coding.event(resolved), here)) return false
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
  const start = from === 'end' ? from : knownPosition(from)
  for await (const items of scan(connection, start, 'backward', maxCount, decodedEvents.answer))
    for (const resolved of items) {
      if ('kind' in resolved) continue
      count++
      const here = positionOf(resolved)
      if (here !== undefined && !take(decodedEvents.event(resolved), here)) return true
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
