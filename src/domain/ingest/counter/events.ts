import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/* Streams: `ingestIds-batches` and `ingestIds-jobs`. Numbers count upwards and are never given twice. */

const IdsTaken = t.type({
  /** The batch that they are for. */
  for: Text,
  first: PositiveInteger,
  count: PositiveInteger,
  at: Time,
})

export const counterEvents = eventSet(
  eventSpec('IdsTaken', 'The next numbers belong to a batch, or to its jobs.', IdsTaken),
)

export type CounterEvent = EventsOf<typeof counterEvents>
