import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { NonNegativeInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { RuleName } from '../rules.ts'

/* One stream, `chain-archive`: since when rules hold in this log, and how far an adoption has come. */

export const category = 'chain'
export const archiveStream = streamName(category, 'archive')

const position = /^-?\d{1,19}$/

/** A place in the log: decimal text, as JSON has no 64-bit integers. */
const Position = annotate(
  t.refinement(t.string, (s) => position.test(s), 'position in the log'),
  { pattern: position.source },
)

const RuleBegun = t.type({
  rule: RuleName,
  /** It holds for events behind this position; for those before when they are adopted. */
  after: Position,
  at: Time,
})
const AdoptionRequested = t.type({ rule: RuleName, reason: Text, at: Time })
const AdoptionReached = t.type({
  rule: RuleName,
  /** Events up to here are done. */
  position: Position,
  /** Number of versions that were looked at so far. */
  versions: NonNegativeInteger,
  at: Time,
})
const AdoptionEnded = t.type({ rule: RuleName, versions: NonNegativeInteger, at: Time })

export const archiveEvents = eventSet(
  eventSpec('RuleBegun', 'A rule of the chain holds in this log from now on.', RuleBegun),
  eventSpec('AdoptionRequested', 'A person wants what was stored before to be chained.', AdoptionRequested),
  eventSpec('AdoptionReached', 'The adoption has come so far; it goes on from here.', AdoptionReached),
  eventSpec('AdoptionEnded', 'All that was stored before the request is chained.', AdoptionEnded),
)
export type ArchiveEvent = EventsOf<typeof archiveEvents>
