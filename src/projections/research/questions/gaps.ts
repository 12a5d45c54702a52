import * as t from 'io-ts'
import { count } from '../../../domain/kernel/amounts.ts'
import { areAll, countIfFolded, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { EpisodeId, Gaps } from '../../../domain/research/terms.ts'
import { episodes, gaps as shape } from '../../../domain/research/views.ts'
import { clock, place } from './clock.ts'
import { compare, reader } from './reading.ts'

/** An episode of which a part cannot be decoded: no clip can be found there. */
export const EpisodeGaps = t.readonly(
  t.intersection([t.type({ episode: EpisodeId, episodeTitle: t.string }), Gaps]),
)
export type EpisodeGaps = t.TypeOf<typeof EpisodeGaps>

/** Most episodes that are listed. */
const maxEpisodes = 1000
/** Most episodes of which people are told in sentences. */
const maxSentences = 20

/** The first episodes by id; of one alone if it is named. */
export const gapsOf = (
  views: Views,
  { episode }: { readonly episode?: string | undefined },
): readonly EpisodeGaps[] => {
  const episodeOf = reader(views, episodes)
  return rowsIfFolded(views, shape, { where: areAll({ episode }), limit: maxEpisodes })
    .map((row) => ({
      episode: row.episode,
      episodeTitle: episodeOf(row.episode)?.title ?? row.episode,
      count: row.count ?? 0,
      duration: row.duration ?? 0,
      places: [...row.places],
    }))
    .sort((one, other) => compare(one.episode, other.episode))
}

/** Number of episodes of which a part cannot be decoded, those that are not listed included. */
export const countGaps = (views: Views, { episode }: { readonly episode?: string | undefined }): number =>
  countIfFolded(views, shape, ...areAll({ episode })) ?? 0

/** `total`: number of episodes, with those that are not listed. */
export const gapSentences = (gaps: readonly EpisodeGaps[], total: number): readonly string[] => {
  const sentences = gaps.slice(0, maxSentences).map(gapSentence)
  const more = total - sentences.length
  if (more <= 0) return sentences
  const hint = '`fonds query research-gaps --format csv` lists all of them'
  return [
    ...sentences,
    `a part of ${count(more)} more ${more === 1 ? 'episode' : 'episodes'} cannot be decoded: ${hint}`,
  ]
}

/** `0:12.3 (0.1 s), 58:20.0 (1:40)`. */
export const gapPlaces = ({ count: all, places }: Pick<Gaps, 'count' | 'places'>): string => {
  const more = all > places.length ? `, and ${count(all - places.length)} shorter` : ''
  return `${places.map(({ offset, duration }) => `${place(offset)} (${inSeconds(duration)})`).join(', ')}${more}`
}

export const gapSentence = ({ episode, duration, ...gaps }: Omit<EpisodeGaps, 'episodeTitle'>): string =>
  `${inSeconds(duration)} of ${episode} cannot be decoded, and no clip can be found there: at ${gapPlaces(gaps)}; ` +
  'fetch or export it again'

const second = 1_000_000_000

const inSeconds = (nanos: number): string =>
  nanos < 60 * second ? `${Number((nanos / second).toPrecision(2))} s` : clock(nanos)
