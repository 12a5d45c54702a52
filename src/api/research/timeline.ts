import type { ViewStore } from '../../ports/view-store.ts'
import type { Occurrence } from '../../projections/research/answers.ts'
import { findings } from '../../projections/research/findings.ts'
import { is, row } from '../../projections/research/reading.ts'
import { episodeResults, episodes } from '../../projections/research/views.ts'

/** The clips of an episode by offset. Duration in nanoseconds; 0 where no result has told it. */
export interface TimelineAnswer {
  readonly episode: string
  readonly title: string
  readonly duration: number
  readonly occurrences: readonly Occurrence[]
}

const most = 10_000

export const timelineOf = (views: ViewStore, episode: string): TimelineAnswer => {
  const curated = row(views, episodes, is('episode', episode))
  const results = row(views, episodeResults, is('episode', episode))
  return {
    episode,
    title: curated?.title ?? episode,
    duration: results?.duration ?? 0,
    occurrences: findings(views, { episode, limit: most }),
  }
}
