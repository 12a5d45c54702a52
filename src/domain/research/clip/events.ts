import * as t from 'io-ts'
import { PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { curationSpecs } from '../curation.ts'
import { Stage } from '../result-messages.ts'
import { EpisodeId, ResearcherId } from '../terms.ts'

/* Streams: `clip-<id>`, one a clip: its curation, and failures of its own media, which concern every episode. */

export const clipEvents = eventSet(
  ...curationSpecs,
  eventSpec(
    'ClipFailed',
    'Its media could not be had or read.',
    t.intersection([
      t.type({
        stage: Stage,
        error: Text,
        episode: EpisodeId,
        researcher: ResearcherId,
        attempt: PositiveInteger,
        at: Time,
      }),
      /** Not handed out before; absent: parked until a person says so. */
      t.partial({ retryAt: Time }),
    ]),
  ),
  eventSpec(
    'Retried',
    'It is to be tried again, since a person says so, its media has another address, or a result shows that it can be had: failures are forgotten.',
    t.type({ reason: Text, at: Time }),
  ),
)
export type ClipEvent = EventsOf<typeof clipEvents>
