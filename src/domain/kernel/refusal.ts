import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/* Streams: `refusal-<id>`, one a message and stream that a command was rejected on, so that its producer can look it up. */

export const category = 'refusal'
export const refusalStream = (id: string): string => streamName(category, id)

const Rejected = t.type({
  processor: Text,
  topic: Text,
  /** CloudEvents id and source of the message. */
  message: Text,
  source: Text,
  type: Text,
  stream: Text,
  code: Text,
  because: Text,
  at: Time,
})

const MessageRejected = t.intersection([
  Rejected,
  /** What was compared, by the rejection's code. Absent where nothing was, and from what older logs hold. */
  t.partial({ details: t.record(Text, t.union([t.string, t.number])) }),
])

export const refusalEvents = eventSet(
  eventSpec('MessageRejected', 'The domain said no to what a message asked for.', MessageRejected),
)

export type RefusalEvent = EventsOf<typeof refusalEvents>
export type Refusal = t.TypeOf<typeof MessageRejected>

export type RefusalCommand = Command & { readonly type: 'Note'; readonly refusal: Omit<Refusal, 'at'> }

export const refusals: Decider<boolean, RefusalCommand, RefusalEvent, Rejection> = {
  category,
  events: refusalEvents,
  initial: false,
  evolve: () => true,
  decide: (command, noted) =>
    right(noted ? [] : [{ type: 'MessageRejected', data: { ...command.refusal, at: command.at } }]),
}
