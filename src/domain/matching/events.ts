import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'
import { Fields } from './fields.ts'
import { WorkId, WorkState } from './work.ts'

/*
 * Streams: `work-<id>`, one per work: its record as its source reported it. Only the latest `WorkObserved` or
 * `WorkCorrected` is valid (M9). Times are ISO 8601 UTC.
 */

/** A link with all its reasons. The links of a work are sorted by target, reasons by themselves. */
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

/**
 * Links that a person removed from the source's version or restored, and the reason. Absent if the source itself
 * corrected the version.
 */
const Correction = t.partial({
  reason: Text,
  /** Targets of links that persons removed from this version: the source stating it again does not restore them. */
  dropped: t.array(WorkId),
  /** Targets of links that a person restored. */
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
