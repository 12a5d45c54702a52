import { countRows, is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { episodeResults, episodes } from '../../../domain/research/views.ts'
import { byPriority } from './reading.ts'
import { policyIn } from './standing.ts'

interface Page {
  readonly limit: number
  readonly offset: number
}

/** The ids of episodes, in the order in which they are handed out: those of one rank by their ids. No page: all. */
export const orderedEpisodes = (store: Views, page?: Page): readonly string[] => {
  const policy = policyIn(store)
  if (isPlain(store, policy))
    return narrowRows(store, episodes, ['episode'], { orderBy: rank, ...page }).map(({ episode }) => episode)
  const ids = ranked(store, policy)
  return page ? ids.slice(page.offset, page.offset + page.limit) : ids
}

type Policy = ReturnType<typeof policyIn>

/** True if their rows alone determine the order: neither curators nor age count, and all named episodes are curated. */
const isPlain = (store: Views, { pinnedCurators, agingSeconds }: Policy): boolean =>
  pinnedCurators.size === 0 &&
  agingSeconds === undefined &&
  countRows(store, episodeResults, is('state', 'unknown')) === 0 &&
  countRows(store, episodes, is('firstCuratedAt', null)) === 0

/** As `byPriority` has them then. */
const rank = [
  { column: 'pinned', descending: true },
  { column: 'priority', descending: true },
  { column: 'firstCuratedAt', descending: true },
  { column: 'episode' },
] as const

const rankColumns = ['episode', 'curator', 'priority', 'firstCuratedAt', 'pinned'] as const

const ranked = (store: Views, { pinnedCurators, agingSeconds }: Policy): readonly string[] => {
  const ranks = new Map(narrowRows(store, episodes, rankColumns).map((row) => [row.episode, row]))
  return narrowRows(store, episodeResults, ['episode'], { orderBy: [{ column: 'episode' }] })
    .map(({ episode }) => ({ episode, rank: ranks.get(episode) }))
    .sort((one, other) => byPriority(one.rank, other.rank, pinnedCurators, agingSeconds))
    .map(({ episode }) => episode)
}
