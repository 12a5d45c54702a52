import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../codecs.ts'
import type { Command, Decider } from '../decider.ts'
import { streamName } from '../event.ts'
import { PositionText } from '../event-place.ts'
import { type EventsOf, eventSet, eventSpec } from '../event-set.ts'
import type { Rejection } from '../rejection.ts'
import { category } from './tree-events.ts'

/* Stream: `proof-streams`, in which the newest leaves of all streams are stated. */

export const sealedStreamsStream = streamName(category, 'streams')

export const StreamsSealed = t.type({
  /** The tree whose leaves are counted. */
  origin: Text,
  /** How many leaves it had, as decimal text. */
  size: PositionText,
  /** How many streams had one. */
  streams: NonNegativeInteger,
  /** Root (RFC 6962) in base64 of the rows (`stream-row.ts`) in their order. */
  root: Text,
  at: Time,
})
export type StreamsSealed = t.TypeOf<typeof StreamsSealed>

export const streamsSealed = eventSpec(
  'StreamsSealed',
  'The newest leaf of every stream as it was at a size of the tree: how many streams, and the root of a Merkle tree of their rows.',
  StreamsSealed,
)

export const sealedStreamsEvents = eventSet(streamsSealed)

type SealStreamsCommand = Command & { readonly type: 'Seal' } & Omit<StreamsSealed, 'at'>

export const sealedStreamsRecord: Decider<
  undefined,
  SealStreamsCommand,
  EventsOf<typeof sealedStreamsEvents>,
  Rejection
> = {
  category,
  events: sealedStreamsEvents,
  initial: undefined,
  evolve: () => undefined,
  decide: ({ origin, size, streams, root, at }) =>
    E.right([{ type: 'StreamsSealed', data: { origin, size, streams, root, at } }]),
}
