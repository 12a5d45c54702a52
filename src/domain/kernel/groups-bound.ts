import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/* Streams: `groups-<broker>`, one for each broker whose consumer groups a person bound to this log. */

export const category = 'groups'
export const groupsStream = (broker: string): string => streamName(category, broker)

const GroupsBound = t.type({
  /** Names the broker: its cluster and the prefix of the groups' names. */
  broker: Text,
  groups: t.array(
    t.type({
      group: Text,
      /** Its offsets from then on. `next`: the next one to handle, as decimal text. */
      places: t.array(t.type({ topic: Text, partition: NonNegativeInteger, next: Text })),
    }),
  ),
  reason: Text,
  at: Time,
})

export const groupsEvents = eventSet(
  eventSpec('GroupsBound', 'A person gave the consumer groups of a broker to this log.', GroupsBound),
)

type GroupsEvent = EventsOf<typeof groupsEvents>
export type GroupsBound = t.TypeOf<typeof GroupsBound>

type GroupsCommand = Command & {
  readonly type: 'Note'
  readonly bound: Omit<GroupsBound, 'at'>
}

/** The groups are bound before the event is recorded: nothing is rejected. */
export const groups: Decider<undefined, GroupsCommand, GroupsEvent, Rejection> = {
  category,
  events: groupsEvents,
  initial: undefined,
  evolve: () => undefined,
  decide: ({ bound, at }) => E.right([{ type: 'GroupsBound', data: { ...bound, at } }]),
}
