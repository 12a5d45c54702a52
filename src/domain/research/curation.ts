import * as t from 'io-ts'
import { Text, Time } from '../kernel/codecs.ts'
import { eventSpec } from '../kernel/event-set.ts'
import { MediaType, MediaUri, Priority } from './terms.ts'

/* Episodes and clips are curated in the same way, in streams of their own; these events are in both. */

export const Details = t.intersection([
  t.type({ title: Text, mediaUri: MediaUri, mediaType: MediaType, priority: Priority, curator: Text }),
  t.partial({
    description: t.string,
    /**
     * The media were named by a party outside this machine: they must be at a public address, or on a host that the
     * system allows.
     */
    foreign: t.boolean,
  }),
])
export type Details = t.TypeOf<typeof Details>

const Reasoned = t.type({ reason: Text, at: Time })

export const curationSpecs = [
  eventSpec(
    'Curated',
    'A curator saw it for the first time.',
    /** `firstCuratedAt` orders for ever (L15, L16, L21); it is never after `at`. */
    t.intersection([Details, t.type({ firstCuratedAt: Time, curatedAt: Time, at: Time })]),
  ),
  eventSpec(
    'Recurated',
    'It was seen again, unchanged: only the latest date moves (F21).',
    t.type({ curatedAt: Time, at: Time }),
  ),
  eventSpec(
    'Amended',
    'It was seen again with other details, or after it had been withdrawn; the first date stays.',
    t.intersection([Details, t.type({ curatedAt: Time, at: Time })]),
  ),
  eventSpec(
    'Withdrawn',
    'It is no more to be researched; results stay. Seen again, it is back.',
    t.intersection([t.type({ curator: Text, at: Time }), t.partial({ reason: Text })]),
  ),
  eventSpec(
    'Prioritised',
    "A person's priority, which holds against the curator's until it is taken back (null) (X15).",
    t.type({ priority: t.union([Priority, t.null]), reason: Text, at: Time }),
  ),
  eventSpec('Pinned', 'It goes before all that are not pinned (X7).', Reasoned),
  eventSpec('Unpinned', 'It goes by its priority again.', Reasoned),
  eventSpec('Excluded', 'It is not handed out until it is included again (X7).', Reasoned),
  eventSpec('Included', 'It is handed out again.', Reasoned),
] as const
