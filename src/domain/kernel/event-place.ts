import * as t from 'io-ts'
import { annotate } from './annotation.ts'
import { Time } from './codecs.ts'
import type { RecordedEvent } from './event.ts'

/** A position or revision as text: JSON has no 64-bit integers. */
export const PositionText = annotate(
  t.refinement(t.string, (s) => /^-?\d+$/.test(s), 'position as decimal text'),
  { pattern: '^-?\\d+$' },
)

/**
 * The full identity of an event, stored to check later whether the log still holds it. The id alone is not enough: in a
 * log that was restored from an older copy, a redelivered message leads to the same event at another place.
 */
export const EventPlace = t.type(
  { stream: t.string, revision: PositionText, id: t.string, position: PositionText, recordedAt: Time },
  'place of an event',
)
export type EventPlace = Readonly<t.TypeOf<typeof EventPlace>>

export const placeOf = ({ stream, revision, id, position, recordedAt }: RecordedEvent): EventPlace => ({
  stream,
  revision: `${revision}`,
  id,
  position: `${position}`,
  recordedAt,
})

export const isAt = (event: RecordedEvent, place: EventPlace): boolean =>
  isEventOf(event, place) && `${event.position}` === place.position

/** The same event, also in a copy of the log that gave it another position. */
export const isEventOf = (event: RecordedEvent, place: EventPlace): boolean => {
  const { stream, revision, id, recordedAt } = placeOf(event)
  const isSame = id === place.id && stream === place.stream && revision === place.revision
  return isSame && recordedAt === place.recordedAt
}

export const isSamePlace = (one: EventPlace | undefined, other: EventPlace | undefined): boolean =>
  one !== undefined && one.id === other?.id && one.position === other.position
