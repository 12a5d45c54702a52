import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { ClipId, EpisodeId, MediaType, MediaUri, Priority, shortText } from './terms.ts'

/** A sighting. The first one gives the date that orders, later ones only move the latest date (L16). */
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
        /** First curation by another system's record; absent: the first `curatedAt` is it. */
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
      ['curator'],
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
      ['curator', 'reason'],
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
      ['curator'],
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
      ['curator', 'reason'],
    ),
  ],
  keyOf: (data) => (data as { id: string }).id,
} as const satisfies TopicSpec
