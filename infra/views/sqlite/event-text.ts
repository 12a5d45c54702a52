import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EventPlace, PositionText } from '../../../src/domain/kernel/event-place.ts'

/* Events that checkpoints stand at, as the file has them. */

/** The event of a checkpoint, with its position: an older program moves the position alone, and the event is then another's. */
const EventOf = t.type({ of: PositionText, event: t.union([EventPlace, t.null]) })

export const eventText = (event: EventPlace | null, position: bigint): string =>
  JSON.stringify({ of: `${position}`, event })

/** Undefined where it belongs to another position, or is nonsense. */
export const readEventOf = (text: string | null, position: bigint): EventPlace | null | undefined => {
  const read = text === null ? undefined : parse(EventOf, text)
  return read?.of === `${position}` ? read.event : undefined
}

/** Undefined where it is nonsense. */
export const readEvent = (text: string): EventPlace | undefined => parse(EventPlace, text)

const parse = <A>(codec: t.Decoder<unknown, A>, text: string): A | undefined => {
  try {
    const read = codec.decode(JSON.parse(text))
    return isLeft(read) ? undefined : read.right
  } catch {
    return undefined
  }
}
