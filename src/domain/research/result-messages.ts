import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import {
  ClipId,
  Engine,
  EpisodeId,
  Gaps,
  LeaseId,
  Match,
  MediaHash,
  matchedDuration,
  ResearcherId,
  Score,
  Silent,
  shortText,
} from './terms.ts'

const second = 1_000_000_000

/** More than a person would listen to. */
export const maxMatches = 10_000

const Matches = annotate(
  t.refinement(
    t.array(Match),
    (matches) =>
      matches.length <= maxMatches &&
      matches.every(({ offset }, i) => i === 0 || matches[i - 1]!.offset < offset),
    `at most ${maxMatches} matches by growing offset`,
  ),
  { maxItems: maxMatches },
)

const Fields = t.intersection([
  t.type({
    episode: EpisodeId,
    clip: ClipId,
    researcher: ResearcherId,
    /** Empty: the clip was not found, which is a result, too (L43). */
    matches: Matches,
    episodeDuration: NonNegativeInteger,
    clipDuration: NonNegativeInteger,
    engine: Engine,
    researchedAt: Time,
  }),
  t.partial({
    /** The lease of the work item (L32). A result without one is stored all the same (L37). */
    lease: LeaseId,
    episodeHash: MediaHash,
    clipHash: MediaHash,
    /** The best score anywhere, match or not. */
    bestScore: Score,
    /** The last report of its lease: all is done, or the researcher stops (L35, L36). */
    final: t.boolean,
    note: shortText(1000),
    /** Stretches of the episode that were not searched, as they cannot be decoded. */
    gaps: Gaps,
    /** It has no sound in any channel, so that nothing can be found. */
    silent: Silent,
  }),
])

/** Tolerates a second: decoders do not agree to the last frame. */
const fits = ({ matches, episodeDuration, clipDuration }: t.TypeOf<typeof Fields>): boolean =>
  matches.every(
    (match) =>
      match.offset + matchedDuration(match, clipDuration) <= episodeDuration + second &&
      (match.part?.to ?? 0) <= clipDuration + second,
  )

export const ClipResearchedMessage = annotate(
  t.refinement(
    Fields,
    fits,
    'result whose matches lie within the episode (offset + clipDuration <= episodeDuration, in nanoseconds; of a part, offset + part.to - part.from; both by speed where it has one)',
  ),
  {},
)
export type ClipResearchedMessage = t.TypeOf<typeof ClipResearchedMessage>

/** The subject that failed: the episode's media, the clip's (then for every episode), or the search of this pair. */
export const Subject = t.keyof({ episode: null, clip: null, pair: null }, 'subject (episode, clip or pair)')
export type Subject = t.TypeOf<typeof Subject>

export const Stage = t.keyof(
  { download: null, decode: null, search: null },
  'stage (download, decode or search)',
)
export type Stage = t.TypeOf<typeof Stage>

const FailedFields = t.intersection([
  t.type({
    episode: EpisodeId,
    researcher: ResearcherId,
    subject: Subject,
    stage: Stage,
    error: shortText(2000),
    failedAt: Time,
  }),
  t.partial({ clip: ClipId, lease: LeaseId, final: t.boolean }),
])

export const ResearchFailedMessage = annotate(
  t.refinement(
    FailedFields,
    ({ subject, clip }) => (subject === 'episode') === (clip === undefined),
    'failure that names a clip, unless its subject is the episode',
  ),
  {},
)
export type ResearchFailedMessage = t.TypeOf<typeof ResearchFailedMessage>

/** Sent by researchers that read items from the topic. The first one holds the item; a blocked one is rejected (X5). */
const ItemTaken = t.type(
  { episode: EpisodeId, lease: LeaseId, researcher: ResearcherId, takenAt: Time },
  'item.taken',
)
const LeaseReleasedMessage = t.intersection(
  [
    t.type({ episode: EpisodeId, lease: LeaseId, researcher: ResearcherId, releasedAt: Time }),
    t.partial({ reason: shortText(1000) }),
  ],
  'lease.released',
)

/** Examples, for other messages, too. */
export const engineExample = { name: 'correlator', version: '1', settings: 'rate=8000 threshold=0.6' }
export const leaseExample = '0197a3c4-0000-7000-8000-000000000001'

export const resultsTopic = {
  name: 'fonds.research.results',
  description: 'What researchers found, one message a clip, and what kept them from it.',
  messages: [
    messageSpec(
      'clip.researched',
      'The clip was looked for in the episode.',
      ClipResearchedMessage,
      {
        lease: leaseExample,
        episode: 'tbtl-4611',
        clip: 'gurgle-17',
        researcher: 'listener-1',
        matches: [{ offset: 1_754_000_000_000, score: 0.93 }],
        episodeDuration: 5_400 * second,
        clipDuration: 3 * second,
        bestScore: 0.93,
        engine: engineExample,
        researchedAt: '2026-01-31T12:00:00.000Z',
        final: false,
      },
      ['researcher'],
    ),
    messageSpec(
      'research.failed',
      'The media could not be had or read, or the search failed.',
      ResearchFailedMessage,
      {
        lease: leaseExample,
        episode: 'tbtl-4611',
        researcher: 'listener-1',
        subject: 'episode',
        stage: 'download',
        error: 'https://media.example/4611.mp3 answered 404',
        failedAt: '2026-01-31T12:00:00.000Z',
        final: true,
      },
      ['researcher'],
    ),
    messageSpec(
      'item.taken',
      'A researcher takes a work item; one that is blocked is refused.',
      ItemTaken,
      {
        episode: 'tbtl-4611',
        lease: leaseExample,
        researcher: 'listener-1',
        takenAt: '2026-01-31T12:00:00.000Z',
      },
      ['researcher'],
    ),
    messageSpec(
      'lease.released',
      'A researcher gives an item back: its open clips are free at once.',
      LeaseReleasedMessage,
      {
        episode: 'tbtl-4611',
        lease: leaseExample,
        researcher: 'listener-1',
        releasedAt: '2026-01-31T12:00:00.000Z',
        reason: 'the machine is going down',
      },
      ['researcher', 'reason'],
    ),
  ],
  keyOf: (data) => (data as { episode: string }).episode,
} as const satisfies TopicSpec
