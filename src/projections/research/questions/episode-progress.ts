import { countRows, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeResults, episodes } from '../../../domain/research/views.ts'
import type { EpisodeProgress } from './answers.ts'
import { orderedEpisodes } from './ordered-episodes.ts'
import { amountsOf, doneColumns, liveClips } from './pairs.ts'
import { heldLeases } from './reading.ts'
import { defaultLimit, type ListScope, page, policyIn, standingOf } from './standing.ts'

interface EpisodeScope extends ListScope {
  /** This episode alone. */
  readonly episode?: string
}

/** Columns that determine an episode's state: rows are wide. */
const curationColumns = ['episode', 'title', 'curator', 'priority', 'excluded', 'parkedAt'] as const

/** Progress of each episode, also of those that only results name; in the order in which they are handed out. */
export const episodeProgress = (
  store: Views,
  now: string,
  { episode, ...scope }: EpisodeScope = {},
): readonly EpisodeProgress[] => {
  if (episode !== undefined) return page(linesOf(store, now, [episode]), scope)
  const { state, limit = defaultLimit, offset = 0 } = scope
  // The state of an episode is known only once its pairs are counted: all are read.
  return state === undefined
    ? linesOf(store, now, orderedEpisodes(store, { limit, offset }))
    : page(linesOf(store, now, orderedEpisodes(store)), scope)
}

export const countEpisodes = (store: Views): number => countRows(store, episodeResults)

const linesOf = (store: Views, now: string, ids: readonly string[]): readonly EpisodeProgress[] => {
  const among = [{ column: 'episode', is: 'in', value: ids }] as const
  const clips = liveClips(store)
  const curation = new Map(
    narrowRows(store, episodes, curationColumns, { where: among }).map((row) => [row.episode, row]),
  )
  const results = new Map(
    narrowRows(store, episodeResults, doneColumns, { where: among }).map((row) => [row.episode, row]),
  )
  const leases = Map.groupBy(heldLeases(store, now), (lease) => lease.episode)
  const { excludedCurators: excluded } = policyIn(store)
  return ids.flatMap((episode) => {
    const row = results.get(episode)
    if (!row) return []
    const curated = curation.get(episode)
    const amounts = amountsOf(row, leases.get(episode) ?? [], clips)
    return {
      episode,
      title: curated?.title ?? '',
      priority: curated?.priority ?? 0,
      ...amounts,
      state: standingOf(curated, row.state, amounts, excluded),
    }
  })
}
