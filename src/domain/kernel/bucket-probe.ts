import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `bucketProbe-<id>`, one for each time that a person had writing to a bucket tried. It is a record alone: a
 * killed probe has no end in it, and may have left its object.
 */

export const category = 'bucketProbe'
export const probeStream = (id: string): string => streamName(category, id)

const ProbeRequested = t.type({
  /** `s3://bucket/prefix`. */
  address: Text,
  /** Key of the object, below the prefix. */
  key: Text,
  reason: Text,
  at: Time,
})

const ProbeEnded = t.type({
  /** Names of what was tried: those that worked, and those that did not. */
  works: t.array(Text),
  fails: t.array(Text),
  /** Parts of the probe that are still in the bucket, or may be. */
  leftovers: t.array(
    t.intersection([t.type({ key: Text }), t.partial({ versionId: Text, uploadId: Text })], 'leftover'),
  ),
  at: Time,
})

export const probeEvents = eventSet(
  eventSpec('ProbeRequested', 'A person had writing to a bucket tried.', ProbeRequested),
  eventSpec('ProbeEnded', 'Writing to a bucket was tried, and what was written was deleted.', ProbeEnded),
)

type ProbeEvent = EventsOf<typeof probeEvents>
type Requested = Omit<t.TypeOf<typeof ProbeRequested>, 'at'>
type Ended = Omit<t.TypeOf<typeof ProbeEnded>, 'at'>

type ProbeCommand = Command &
  (({ readonly type: 'Request' } & Requested) | ({ readonly type: 'End' } & Ended))

/** Records facts: nothing is rejected. */
export const probeRecord: Decider<undefined, ProbeCommand, ProbeEvent, Rejection> = {
  category,
  events: probeEvents,
  initial: undefined,
  evolve: () => undefined,
  decide: (command) => {
    const { at } = command
    if (command.type === 'Request') {
      const { address, key, reason } = command
      return E.right([{ type: 'ProbeRequested', data: { address, key, reason, at } }])
    }
    const { works, fails, leftovers } = command
    return E.right([{ type: 'ProbeEnded', data: { works, fails, leftovers, at } }])
  },
}
