import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EventPlace, PositionText } from '../../../src/domain/kernel/event-place.ts'

/* How the events of checkpoints are written in the file. */

/**
 * The event of a checkpoint, with the checkpoint's position: an older program moves the position and leaves the event, which
 * then belongs to another position.
 */
const EventOf = t.type({ of: PositionText, event: t.union([EventPlace, t.null]) })

export const eventText = (event: EventPlace | null, position: bigint): string =>
  JSON.stringify({ of: `${position}`, event })

/** Undefined where it belongs to another position, or cannot be decoded. */
export const readEventOf = (text: string | null, position: bigint): EventPlace | null | undefined => {
  const read = text === null ? undefined : parse(EventOf, text)
  return read?.of === `${position}` ? read.event : undefined
}

/** Undefined where it cannot be decoded. */
export const readEvent = (text: string): EventPlace | undefined => parse(EventPlace, text)

const parse = <A>(codec: t.Decoder<unknown, A>, text: string): A | undefined => {
  try {
    const read = codec.decode(JSON.parse(text))
    return isLeft(read) ? undefined : read.right
  } catch {
    return undefined
  }
}
