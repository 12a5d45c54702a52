import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { RunPlace } from '../run-place.ts'

/** Category of the streams of lines that others post: `indexingPosts-<id>`, one a post. */
export const postsCategory = 'indexingPosts'

export const postStream = (id: string): string => streamName(postsCategory, id)

/** Lines that somebody sent, as a run in the folder of the index. */
export const PostedLines = t.type({
  run: RunPlace,
  /** Each counted once. */
  lines: PositiveInteger,
  /** SHA-256 of the sorted lines, in hex. */
  digest: Text,
  /** Bad lines that were left out. */
  skipped: NonNegativeInteger,
})
export type PostedLines = t.TypeOf<typeof PostedLines>

const Posted = t.intersection([PostedLines, t.type({ at: Time })])

export const postEvents = eventSet(
  eventSpec('LinesPosted', 'These lines are in the index, whatever is known of their archive files.', Posted),
  eventSpec('LinesDeleted', 'Of these lines those that were posted are to go from the index.', Posted),
)

export type PostEvent = EventsOf<typeof postEvents>
