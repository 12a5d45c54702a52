import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `notice-<channel>`, one for each way on which people are told what waits for them. The latest event says what they
 * know, so that nothing is told twice after a restart.
 */

export const category = 'notice'
export const noticeStream = (channel: string): string => streamName(category, channel)

/** How much there was of each cause when it was told last, by its key. */
const Known = t.readonly(t.record(Text, NonNegativeInteger))
export type Known = t.TypeOf<typeof Known>

const NoticeSent = t.type({
  /** Of the message. */
  message: Text,
  known: Known,
  /** Keys of the causes that it told of, and of those that it said to be over. */
  told: t.array(Text),
  over: t.array(Text),
  at: Time,
})

export const noticeEvents = eventSet(
  eventSpec('NoticeSent', 'A message told people what waits for them, and what no longer does.', NoticeSent),
)

export type NoticeEvent = EventsOf<typeof noticeEvents>
export type NoticeSent = t.TypeOf<typeof NoticeSent>

type NoticeCommand = Command & { readonly type: 'Note'; readonly sent: Omit<NoticeSent, 'at'> }

/** It is sent before it is recorded: nothing is rejected. */
export const notices: Decider<Known, NoticeCommand, NoticeEvent, Rejection> = {
  category,
  events: noticeEvents,
  initial: {},
  evolve: (_, { data }) => data.known,
  decide: ({ sent, at }) => E.right([{ type: 'NoticeSent', data: { ...sent, at } }]),
}
