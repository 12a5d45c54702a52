import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `refusal-<id>`, one for each message and stream on which its command was rejected. Its producer finds it by
 * the id.
 */

export const category = 'refusal'
export const rejectedMessageStream = (id: string): string => streamName(category, id)

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
  /** The compared values, by the rejection's code. Absent if nothing was compared, and from older logs. */
  t.partial({ details: t.record(Text, t.union([t.string, t.number])) }),
])

export const rejectedMessageEvents = eventSet(
  eventSpec('MessageRejected', 'The domain said no to what a message asked for.', MessageRejected),
)

export type RejectedMessageEvent = EventsOf<typeof rejectedMessageEvents>
export type RejectedMessage = t.TypeOf<typeof MessageRejected>

export type RejectedMessageCommand = Command & {
  readonly type: 'Note'
  readonly rejected: Omit<RejectedMessage, 'at'>
}

export const rejectedMessages: Decider<boolean, RejectedMessageCommand, RejectedMessageEvent, Rejection> = {
  category,
  events: rejectedMessageEvents,
  initial: false,
  evolve: () => true,
  decide: (command, noted) =>
    E.right(noted ? [] : [{ type: 'MessageRejected', data: { ...command.rejected, at: command.at } }]),
}
