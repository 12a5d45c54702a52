import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Queue } from '../events.ts'
import { StoreName } from '../item.ts'

/*
 * Streams: `fixityRequest-<id>/<page>`, one a page of what a `StoreCheckRequested` asks for, by that event's id: positions are others
 * once a log was moved.
 */

export const category = 'fixityRequest'
export const requestStream = (page: string): string => streamName(category, page)

/** Of items at rest alone: that any other is wanted stands in its own stream. */
const ChecksRequested = t.type({
  store: StoreName,
  paths: t.array(Text),
  queue: Queue,
  reason: Text,
  dueAt: Time,
})

export const requestEvents = eventSet(
  eventSpec('ChecksRequested', 'Somebody wants these items checked before their turn.', ChecksRequested),
)

export type RequestEvent = EventsOf<typeof requestEvents>
