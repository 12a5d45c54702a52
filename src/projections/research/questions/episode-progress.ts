import { is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeResults, episodes } from '../../../domain/research/views.ts'
import type { EpisodeProgress } from './answers.ts'
import { amountsOf, doneColumns, liveClips } from './pairs.ts'
import { byPriority, compare, heldLeases } from './reading.ts'
import { type ListScope, page, policyIn, standingOf } from './standing.ts'

interface EpisodeScope extends ListScope {
  /** This one alone. */
  readonly episode?: string
}

/** What tells its place and standing: rows are wide. */
const curationColumns = [
  ...(['episode', 'title', 'curator', 'priority', 'firstCuratedAt'] as const),
  ...(['pinned', 'excluded', 'parkedAt'] as const),
] as const

/** How far each episode is, also those that only results name; in the order in which they are handed out. */
export const episodeProgress = (
  store: Views,
  now: string,
  { episode, ...scope }: EpisodeScope = {},
): readonly EpisodeProgress[] => {
  const where = episode === undefined ? [] : [is('episode', episode)]
  const clips = liveClips(store)
  const curation = new Map(
    narrowRows(store, episodes, curationColumns, { where }).map((row) => [row.episode, row]),
  )
  const leases = Map.groupBy(heldLeases(store, now), (lease) => lease.episode)
  const { pinnedCurators: pinned, excludedCurators: excluded, agingSeconds } = policyIn(store)
  const ordered = narrowRows(store, episodeResults, doneColumns, { where })
    .map((results) => ({ results, curated: curation.get(results.episode) }))
    .sort(
      (one, other) =>
        byPriority(one.curated, other.curated, pinned, agingSeconds) ||
        compare(one.results.episode, other.results.episode),
    )
  return page(
    ordered.map(({ results, curated }) => {
      const amounts = amountsOf(results, leases.get(results.episode) ?? [], clips)
      return {
        episode: results.episode,
        title: curated?.title ?? '',
        priority: curated?.priority ?? 0,
        ...amounts,
        state: standingOf(curated, results.state, amounts, excluded),
      }
    }),
    scope,
  )
}
