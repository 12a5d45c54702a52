import * as t from 'io-ts'
import { NonNegativeInteger, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { StoreName } from '../item.ts'
import { dayOf } from '../store/budget.ts'

/*
 * Streams: `fixityBucketUse-<store>/<day>`, one a store and day of UTC: what processes asked of its bucket. A store's own
 * stream is read for every decision about it, and stays short.
 */

export const category = 'fixityBucketUse'
export const bucketUseStream = (store: string, instant: string): string =>
  streamName(category, `${store}/${dayOf(instant)}`)

/** As buckets are charged for them; `put`: any other one that writes. Those that were refused or repeated count, too. */
export const requestFields = {
  get: NonNegativeInteger,
  head: NonNegativeInteger,
  list: NonNegativeInteger,
  put: NonNegativeInteger,
  delete: NonNegativeInteger,
}

/** `from` and `to` enclose the requests of one process; the whole counts for the day of `to`. */
const RequestsCounted = t.type({
  store: StoreName,
  from: Time,
  to: Time,
  requests: t.type(requestFields),
  /** Read: as answers announced them, also where a reading broke off. */
  bytes: t.type({ read: NonNegativeInteger, written: NonNegativeInteger }),
})

export const bucketUseEvents = eventSet(
  eventSpec(
    'RequestsCounted',
    'What a process asked of the bucket of a store for some minutes.',
    RequestsCounted,
  ),
)

export type BucketUseEvent = EventsOf<typeof bucketUseEvents>
