import type { ViewStore } from '../../ports/view-store.ts'
import type { Occurrence } from '../../projections/research/answers.ts'
import { findings } from '../../projections/research/findings.ts'

/** The clips of an episode by offset. Duration in nanoseconds; 0 where no result has told it. */
export interface TimelineAnswer {
  readonly episode: string
  readonly title: string
  readonly duration: number
  readonly occurrences: readonly Occurrence[]
}

const most = 10_000

/** Undefined where nobody knows the episode. */
export const timelineOf = (views: ViewStore, episode: string): TimelineAnswer | undefined => {
  const row = (view: string) =>
    views.query(view, { where: [{ column: 'episode', is: '=', value: episode }], limit: 1 })[0]
  const [curated, results] = [row('research-episodes'), row('research-episode-results')]
  if (!curated && !results) return undefined
  return {
    episode,
    title: typeof curated?.title === 'string' ? curated.title : episode,
    duration: typeof results?.duration === 'number' ? results.duration : 0,
    occurrences: findings(views, { episode, limit: most }),
  }
}
