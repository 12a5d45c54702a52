import * as t from 'io-ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { EpisodeId, Gap } from '../../../domain/research/terms.ts'
import { episodeResults, episodes } from '../../../domain/research/views.ts'
import { Occurrence } from './answers.ts'
import { findings } from './findings.ts'
import { gapsOf } from './gaps.ts'

/** The clips of an episode by offset. Duration in nanoseconds; 0 before the first result. */
export const Timeline = t.readonly(
  t.intersection([
    t.type({
      episode: EpisodeId,
      title: t.string,
      duration: t.number,
      occurrences: t.readonlyArray(Occurrence),
      /** Stretches that cannot be decoded: no clip can be found there. */
      gaps: t.readonlyArray(Gap),
    }),
    /** Its recording has no sound in any channel. Absent: it has, or is not examined yet. */
    t.partial({ silent: t.literal(true) }),
  ]),
)
export type Timeline = t.TypeOf<typeof Timeline>

const maxOccurrences = 10_000

export const timelineOf = (views: Views, episode: string): Timeline => {
  const curated = row(views, episodes, is('episode', episode))
  const results = row(views, episodeResults, is('episode', episode))
  return {
    episode,
    title: curated?.title ?? episode,
    duration: results?.duration ?? 0,
    ...(results?.soundless === 1 && { silent: true }),
    occurrences: findings(views, { episode, limit: maxOccurrences }).findings,
    gaps: gapsOf(views, { episode }).flatMap(({ places }) => places),
  }
}
