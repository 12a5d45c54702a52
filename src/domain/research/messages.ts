import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, Text, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import {
  ClipId,
  Engine,
  EpisodeId,
  LeaseId,
  Match,
  MediaHash,
  MediaType,
  MediaUri,
  Priority,
  ResearcherId,
  Score,
  shortText,
} from './terms.ts'

const second = 1_000_000_000

/** What a curator saw. The first sighting gives the date that orders, later ones only the latest date (L16). */
const curated = <Id extends t.Mixed>(id: Id, name: string) =>
  t.refinement(
    t.intersection([
      t.type({
        id,
        title: shortText(500),
        mediaUri: MediaUri,
        mediaType: MediaType,
        curator: shortText(200),
        curatedAt: Time,
      }),
      t.partial({
        description: t.string,
        priority: Priority,
        /** When it was first curated, where another system knows that; else the first `curatedAt` is it. */
        firstCuratedAt: Time,
      }),
    ]),
    ({ firstCuratedAt, curatedAt }) => firstCuratedAt === undefined || firstCuratedAt <= curatedAt,
    `${name} whose firstCuratedAt is not after its curatedAt`,
  )

const withdrawn = <Id extends t.Mixed>(id: Id, name: string) =>
  t.intersection(
    [t.type({ id, curator: shortText(200), withdrawnAt: Time }), t.partial({ reason: shortText(1000) })],
    name,
  )

const EpisodeCurated = annotate(curated(EpisodeId, 'an episode'), {})
const EpisodeWithdrawn = withdrawn(EpisodeId, 'episode.withdrawn')
const ClipCurated = annotate(curated(ClipId, 'a clip'), {})
const ClipWithdrawn = withdrawn(ClipId, 'clip.withdrawn')

/** Episode and clip have the same shape here. */
export type Curated = t.TypeOf<typeof EpisodeCurated>
export type Withdrawn = t.TypeOf<typeof EpisodeWithdrawn>

const curatedExample = {
  id: 'tbtl-4611',
  title: 'Episode 4611',
  mediaUri: 'https://media.example/4611.mp3',
  mediaType: 'audio/mpeg',
  priority: 0,
  curator: 'podcast-feed',
  curatedAt: '2026-01-31T12:00:00.000Z',
}

export const episodesTopic = {
  name: 'fonds.research.episodes',
  description: 'Episodes in which clips are looked for, as curators see them.',
  messages: [
    messageSpec(
      'episode.curated',
      'A curator saw the episode; details are the latest, the first date stays.',
      EpisodeCurated,
      curatedExample,
    ),
    messageSpec(
      'episode.withdrawn',
      'The episode is no more to be researched; what was found stays.',
      EpisodeWithdrawn,
      {
        id: 'tbtl-4611',
        curator: 'podcast-feed',
        withdrawnAt: '2026-02-01T12:00:00.000Z',
        reason: 'taken off the feed',
      },
    ),
  ],
  keyOf: (data) => (data as { id: string }).id,
} as const satisfies TopicSpec

export const clipsTopic = {
  name: 'fonds.research.clips',
  description: 'Clips that are looked for in every episode, as curators see them.',
  messages: [
    messageSpec(
      'clip.curated',
      'A curator saw the clip; details are the latest, the first date stays.',
      ClipCurated,
      {
        ...curatedExample,
        id: 'gurgle-17',
        title: 'The gurgle',
        mediaUri: 'https://media.example/gurgle.mp3',
      },
    ),
    messageSpec(
      'clip.withdrawn',
      'The clip is no more to be looked for; what was found stays.',
      ClipWithdrawn,
      {
        id: 'gurgle-17',
        curator: 'clip-site',
        withdrawnAt: '2026-02-01T12:00:00.000Z',
      },
    ),
  ],
  keyOf: (data) => (data as { id: string }).id,
} as const satisfies TopicSpec

/** More occurrences than anybody would listen to. */
export const mostMatches = 10_000

const Matches = annotate(
  t.refinement(
    t.array(Match),
    (matches) =>
      matches.length <= mostMatches &&
      matches.every(({ offset }, i) => i === 0 || matches[i - 1]!.offset < offset),
    `at most ${mostMatches} matches by growing offset`,
  ),
  { maxItems: mostMatches },
)

const Fields = t.intersection([
  t.type({
    episode: EpisodeId,
    clip: ClipId,
    researcher: ResearcherId,
    /** Empty: the clip is not in it, which is a result too (L43). */
    matches: Matches,
    episodeDuration: NonNegativeInteger,
    clipDuration: NonNegativeInteger,
    engine: Engine,
    researchedAt: Time,
  }),
  t.partial({
    /** The work item it was done for (L32). Without one the result is taken all the same (L37). */
    lease: LeaseId,
    episodeHash: MediaHash,
    clipHash: MediaHash,
    /** The best that was seen anywhere, also where that was no match. */
    bestScore: Score,
    /** The last of its lease: all is done, or the researcher winds down (L35, L36). */
    final: t.boolean,
    note: shortText(1000),
  }),
])

/** A second of grace: durations are told by decoders that do not agree to the last frame. */
const fits = ({ matches, episodeDuration, clipDuration }: t.TypeOf<typeof Fields>): boolean =>
  matches.every(({ offset }) => offset + clipDuration <= episodeDuration + second)

export const ClipResearchedMessage = annotate(
  t.refinement(
    Fields,
    fits,
    'result whose matches lie within the episode (offset + clipDuration <= episodeDuration, in nanoseconds)',
  ),
  {},
)
export type ClipResearchedMessage = t.TypeOf<typeof ClipResearchedMessage>

/** Whose fault it is: the episode's media, the clip's (for every episode then), or this pair alone. */
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

/** A researcher has begun with an item, for researchers that read items from the topic. The first one has it. */
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

const engineExample = { name: 'correlator', version: '1', settings: 'rate=8000 threshold=0.6' }
const leaseExample = '0197a3c4-0000-7000-8000-000000000001'

export const resultsTopic = {
  name: 'fonds.research.results',
  description: 'What researchers found, one message a clip, and what kept them from it.',
  messages: [
    messageSpec('clip.researched', 'The clip was looked for in the episode.', ClipResearchedMessage, {
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
    }),
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
    ),
    messageSpec('item.taken', 'A researcher has taken a work item.', ItemTaken, {
      episode: 'tbtl-4611',
      lease: leaseExample,
      researcher: 'listener-1',
      takenAt: '2026-01-31T12:00:00.000Z',
    }),
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
    ),
  ],
  keyOf: (data) => (data as { episode: string }).episode,
} as const satisfies TopicSpec

const Registered = t.intersection(
  [
    t.type({ researcher: ResearcherId, at: Time }),
    t.partial({ version: shortText(100), engine: Engine, mediaTypes: t.array(MediaType) }),
  ],
  'researcher.registered',
)
const Seen = t.type({ researcher: ResearcherId, at: Time }, 'researcher')

const researcherExample = { researcher: 'listener-1', at: '2026-01-31T12:00:00.000Z' }

export const researchersTopic = {
  name: 'fonds.research.researchers',
  description: 'Who is there to do research. Work is handed out by their number (L1).',
  messages: [
    messageSpec('researcher.registered', 'A researcher is there and takes work.', Registered, {
      ...researcherExample,
      version: 'fonds 0.1.0',
      engine: engineExample,
      mediaTypes: ['audio/mpeg', 'audio/flac'],
    }),
    messageSpec(
      'researcher.beat',
      'It is still there; whoever is silent for too long counts as gone.',
      Seen,
      researcherExample,
    ),
    messageSpec(
      'researcher.draining',
      'It finishes what it has and takes nothing new.',
      Seen,
      researcherExample,
    ),
    messageSpec('researcher.gone', 'It has left.', Seen, researcherExample),
  ],
  keyOf: (data) => (data as { researcher: string }).researcher,
} as const satisfies TopicSpec

const MediaOf = t.intersection([
  t.type({ title: Text, mediaUri: MediaUri, mediaType: MediaType }),
  t.partial({ description: t.string }),
])

/** L26: the same lease and clips as the lease, with what is needed to fetch them. */
export const WorkItem = t.type(
  {
    lease: LeaseId,
    episode: t.intersection([t.type({ id: EpisodeId }), MediaOf]),
    /** In the order in which they are to be looked for. */
    clips: t.array(t.intersection([t.type({ id: ClipId }), MediaOf])),
    /** Nobody may take it from then on: it is before the lease ends (L27, L28). */
    notAfter: Time,
    /** Until when the pairs are held; each result moves it. */
    deadline: Time,
  },
  'work.item',
)
export type WorkItem = t.TypeOf<typeof WorkItem>

export const workItemsTopic = {
  name: 'fonds.research.work-items',
  description: 'Work for researchers: an episode and the clips to look for in it, under a lease.',
  madeBy: 'fonds',
  messages: [
    messageSpec(
      'work.item',
      'An episode and clips were leased; whoever takes the item researches them.',
      WorkItem,
      {
        lease: leaseExample,
        episode: {
          id: 'tbtl-4611',
          title: 'Episode 4611',
          mediaUri: 'https://media.example/4611.mp3',
          mediaType: 'audio/mpeg',
        },
        clips: [
          {
            id: 'gurgle-17',
            title: 'The gurgle',
            mediaUri: 'https://media.example/gurgle.mp3',
            mediaType: 'audio/mpeg',
          },
        ],
        notAfter: '2026-01-31T13:00:00.000Z',
        deadline: '2026-01-31T14:00:00.000Z',
      },
    ),
  ],
  keyOf: (data) => (data as WorkItem).episode.id,
} as const satisfies TopicSpec

export const topics: readonly TopicSpec[] = [
  episodesTopic,
  clipsTopic,
  resultsTopic,
  researchersTopic,
  workItemsTopic,
]
