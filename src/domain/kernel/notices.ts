import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `notice-<channel>`, one for each channel that notifies people of waiting work. The latest event has
 * everything that was reported, so that nothing is reported twice after a restart.
 */

export const category = 'notice'
export const noticeStream = (channel: string): string => streamName(category, channel)

/** Last reported count of each cause, by the cause's key. */
const Known = t.readonly(t.record(Text, NonNegativeInteger))
export type Known = t.TypeOf<typeof Known>

const NoticeSent = t.type({
  /** Id of the message. */
  message: Text,
  known: Known,
  /** Keys of the causes that it reported, and of those that it reported as over. */
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

/** A notice is sent before it is recorded: nothing is rejected. */
export const notices: Decider<Known, NoticeCommand, NoticeEvent, Rejection> = {
  category,
  events: noticeEvents,
  initial: {},
  evolve: (_, { data }) => data.known,
  decide: ({ sent, at }) => E.right([{ type: 'NoticeSent', data: { ...sent, at } }]),
}
