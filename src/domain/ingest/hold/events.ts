import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/* Streams: `ingestHold-all` and `ingestHold-collection:<name>`. Who did it stands beside each event. */

const HoldSet = t.type({ reason: Text, at: Time })
const HoldReleased = t.type({ reason: Text, at: Time })
const JobsReleased = t.type({ reason: Text, at: Time })

export const holdEvents = eventSet(
  eventSpec('HoldSet', 'Nothing of it is begun until the hold is released.', HoldSet),
  eventSpec('HoldReleased', 'It goes on.', HoldReleased),
  eventSpec('JobsReleased', 'A person wants all of its held jobs released.', JobsReleased),
)

export type HoldEvent = EventsOf<typeof holdEvents>
