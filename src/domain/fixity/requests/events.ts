import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Queue } from '../events.ts'
import { StoreName } from '../item.ts'

/*
 * Streams: `fixityRequest-<id>/<page>`, one per page of the items that a `StoreCheckRequested` requests, by that
 * event's id: positions change if a log is moved.
 */

export const category = 'fixityRequest'
export const requestStream = (page: string): string => streamName(category, page)

/** Holds items at rest only: a request for any other item is stored in its own stream. */
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
