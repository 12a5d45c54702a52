import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { Connection } from './connection.ts'
import { type Coding, decodedEvents } from './event-coding.ts'
import { everything, readBackward, readForward, type Take, unlessUnknown } from './scan.ts'

/*
 * A position is a place in the server's files: it reads only from positions that it returned before. A read from
 * another one (a person may name any, and the byte behind an event is no position) starts at a known one near it.
 */

/** Interval between two log lines about a long search. */
const sayEveryMillis = 5_000

/**
 * Calls `take` with at most `maxCount` events behind a position, whether the server knows it or not. Returns true at
 * the end of the log.
 */
export const scanForward = async <A>(
  connection: Connection,
  after: bigint,
  maxCount: number,
  take: Take<A>,
  coding: Coding<A>,
): Promise<boolean> => {
  const say = progressLogger(connection, after)
  let position = after
  let taken = 0
  const takeNext: Take<A> = (event, here) => {
    if (here <= position) {
      say(here)
      return true
    }
    position = here
    return take(event, here) && ++taken < maxCount
  }
  if (after < 0n) return readForward(connection, undefined, maxCount, takeNext, coding)
  const from = (place: bigint) =>
    unlessUnknown(connection, place, () => readForward(connection, place, maxCount, takeNext, coding))
  const read = await from(after)
  if (read !== 'unknown') return read
  // `--from` the position of an event reads from the byte before it.
  const next = await from(after + 1n)
  if (next !== 'unknown') return next
  return readForward(connection, connection.places.below(after), everything, takeNext, coding)
}

/**
 * Calls `take` with the events before a position, the newest first. It nearly always has enough after the first `few`,
 * so only these are requested at first.
 */
export const scanBackward = async (
  connection: Connection,
  before: bigint | 'end',
  few: number,
  take: Take,
): Promise<void> => {
  let position = before
  const takeNext: Take = (event, here) => {
    // Servers differ on whether reading back from a position includes it.
    if (position !== 'end' && here >= position) return true
    position = here
    return take(event, here)
  }
  const read = () => readBackward(connection, before, few, takeNext)
  const done = before === 'end' ? await read() : await unlessUnknown(connection, before, read)
  if (done === true) return
  if (done === false)
    await readBackward(connection, position === before ? 'end' : position, everything, takeNext)
  else if (before !== 'end') await backFromNowhere(connection, before, takeNext)
}

/** Reads back from a position that the server does not know, from the nearest known one. */
const backFromNowhere = async (connection: Connection, before: bigint, take: Take): Promise<void> => {
  const { places } = connection
  const above = places.above(before) ?? 'end'
  const below = places.below(before) ?? 0n
  let newest = await eventAt(connection, before - 1n)
  if (!newest) {
    const end = above === 'end' ? await endOf(connection) : above
    if (end - before < before - below) {
      await readBackward(connection, above, everything, take)
      return
    }
    newest = await eventBelow(connection, below, before)
  }
  if (newest && take(newest.event, newest.position))
    await readBackward(connection, newest.position, everything, take)
}

interface Found {
  /** Undefined for a system event of the server. */
  readonly event: RecordedEvent | undefined
  readonly position: bigint
}

/**
 * Returns the event at a position. A read of an event and those before it starts at the byte behind it, which is no
 * position.
 */
const eventAt = async (connection: Connection, position: bigint): Promise<Found | undefined> => {
  let found: Found | undefined
  await unlessUnknown(connection, position, () =>
    readForward(
      connection,
      position,
      1,
      (event, here) => {
        if (here === position) found = { event, position }
        return false
      },
      decodedEvents,
    ),
  )
  return found
}

/** Returns the newest event below a position, read forward from a position below it. */
const eventBelow = async (
  connection: Connection,
  from: bigint,
  before: bigint,
): Promise<Found | undefined> => {
  const say = progressLogger(connection, before)
  let found: Found | undefined
  const note: Take = (event, position) => {
    say(position)
    if (position >= before) return false
    found = { event, position }
    return true
  }
  await readForward(connection, from > 0n ? from : undefined, everything, note, decodedEvents)
  return found
}

const endOf = async (connection: Connection): Promise<bigint> => {
  let end = -1n
  await readBackward(connection, 'end', 1, (_, here) => {
    end = here
    return false
  })
  return end
}

/** Logs from time to time how far a search has come. */
const progressLogger = ({ log, name }: Connection, wanted: bigint): ((here: bigint) => void) => {
  let last = performance.now()
  return (here) => {
    if (performance.now() - last < sayEveryMillis) return
    last = performance.now()
    log?.warn(
      { wanted: String(wanted), at: String(here) },
      `EventStoreDB at ${name} does not know the position ${wanted}; reading up to it from an earlier position`,
    )
  }
}
