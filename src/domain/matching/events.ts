import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { Fields } from './fields.ts'
import { WorkId, WorkState } from './work.ts'

/*
 * Streams: `work-<id>`, one a work: what its source said of it. The latest `WorkObserved` or `WorkCorrected` is all that
 * counts (M9). Times are ISO 8601 UTC.
 */

/** A link with all reasons given for it; links of a work are sorted by target, reasons by themselves. */
export const Link = t.type({ to: WorkId, reasons: t.array(Text) }, 'link')
export type Link = t.TypeOf<typeof Link>

const Facts = t.intersection([
  t.type({
    source: Text,
    sourceVersion: NonNegativeInteger,
    sourceModifiedAt: Time,
    state: WorkState,
    /** Without links to itself. */
    links: t.array(Link),
    at: Time,
  }),
  t.partial({ title: t.string, fields: Fields }),
])
export type Facts = t.TypeOf<typeof Facts>

/** What a person left out of the source's version or put back, and why; absent where the source itself corrected it. */
const Correction = t.partial({
  reason: Text,
  /** Ends of links that persons left out of this version: the source stating it again does not bring them back. */
  dropped: t.array(WorkId),
  /** Ends of links that a person put back. */
  restored: t.array(WorkId),
})

export const workEvents = eventSet(
  eventSpec('WorkObserved', 'A source said what the record is now.', Facts),
  eventSpec(
    'WorkCorrected',
    'The same version with other content: the last word counts. The source sent it so, or a person left a link out, or put one back.',
    t.intersection([Facts, Correction]),
  ),
  eventSpec(
    'WorkHandedOver',
    'From now on another source speaks for this work; its versions count from the start.',
    t.type({ from: Text, to: Text, reason: Text, at: Time }),
  ),
  eventSpec(
    'ResendRequested',
    'A person wants the component of this work sent again, from the facts.',
    t.type({ reason: Text, at: Time }),
  ),
)
export type WorkEvent = EventsOf<typeof workEvents>
