import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { PositionText } from './event-place.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'
import type { Rejection } from './rejection.ts'

/*
 * Streams: `projection-<name>`, one for each projection whose views a person had rebuilt over HTTP. It is a record
 * alone: a killed rebuild has no end in it.
 */

export const category = 'projection'
export const projectionStream = (name: string): string => streamName(category, name)

const RebuildRequested = t.type({
  /** Rows are compared with the live ones first. */
  verify: t.boolean,
  /** The new views replace the live ones even if rows differ. */
  promote: t.boolean,
  reason: Text,
  at: Time,
})

const RebuildEnded = t.intersection([
  t.type({
    outcome: t.keyof({ replaced: null, different: null, failed: null, stopped: null }),
    /** The new views were folded up to here; -1 before the first event. */
    position: PositionText,
    /** Keys whose rows differ; null if rows were not compared. */
    differences: t.union([NonNegativeInteger, t.null]),
    at: Time,
  }),
  /** Why it failed or was stopped. */
  t.partial({ reason: Text }),
])

export const rebuildEvents = eventSet(
  eventSpec('RebuildRequested', 'A person had the views of a projection folded anew.', RebuildRequested),
  eventSpec('RebuildEnded', 'The new views took the place of the live ones, or were dropped.', RebuildEnded),
)

type RebuildEvent = EventsOf<typeof rebuildEvents>
type Requested = Omit<t.TypeOf<typeof RebuildRequested>, 'at'>
type Ended = Omit<t.TypeOf<typeof RebuildEnded>, 'at'>

type RebuildCommand = Command &
  (({ readonly type: 'Request' } & Requested) | ({ readonly type: 'End' } & Ended))

/** Records facts: nothing is rejected. */
export const rebuildRecord: Decider<undefined, RebuildCommand, RebuildEvent, Rejection> = {
  category,
  events: rebuildEvents,
  initial: undefined,
  evolve: () => undefined,
  decide: (command) => {
    const { at } = command
    if (command.type === 'Request') {
      const { verify, promote, reason } = command
      return E.right([{ type: 'RebuildRequested', data: { verify, promote, reason, at } }])
    }
    const { outcome, position, differences, reason } = command
    const data = { outcome, position, differences, ...(reason !== undefined && { reason }), at }
    return E.right([{ type: 'RebuildEnded', data }])
  },
}
