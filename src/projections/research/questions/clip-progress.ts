import { countRows, is, rows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, clips } from '../../../domain/research/views.ts'
import type { ClipProgress } from './answers.ts'
import { tallyBitmaps } from './bitmap.ts'
import { doneIn, liveEpisodes, matchedIn } from './pairs.ts'
import { byPriority, compare } from './reading.ts'
import { type ListScope, page, policyIn, standingOf } from './standing.ts'

interface ClipScope extends ListScope {
  /** This clip alone. */
  readonly clip?: string
}

export const countClips = (store: Views): number => countRows(store, clipResults)

/**
 * Number of live episodes in which each clip was searched for and found, by priority and date. Clips that only results
 * name count.
 */
export const clipProgress = (store: Views, { clip, ...scope }: ClipScope = {}): readonly ClipProgress[] => {
  const where = clip === undefined ? [] : [is('clip', clip)]
  const curation = new Map(rows(store, clips, { where }).map((row) => [row.clip, row]))
  const { pinnedCurators: pinned, excludedCurators: excluded } = policyIn(store)
  const ordered = rows(store, clipResults, { where })
    .map((results) => ({ results, curated: curation.get(results.clip) }))
    .sort(
      (one, other) =>
        byPriority(one.curated, other.curated, pinned) || compare(one.results.clip, other.results.clip),
    )

  const size = ordered.reduce((max, { results }) => Math.max(max, (results.number ?? 0) + 1), 0)
  const researchedIn = tallyBitmaps(size)
  const foundIn = tallyBitmaps(size)
  const episodes = liveEpisodes(store)
  for (const row of episodes) {
    researchedIn.add(doneIn(row))
    foundIn.add(matchedIn(row))
  }
  return page(
    ordered.map(({ results, curated }) => {
      const number = results.number ?? 0
      const researched = researchedIn.countOf(number)
      const pairs = results.state === 'live' ? episodes.length : researched
      return {
        clip: results.clip,
        title: curated?.title ?? '',
        priority: curated?.priority ?? 0,
        pairs,
        researched,
        open: pairs - researched,
        found: foundIn.countOf(number),
        occurrences: results.occurrences ?? 0,
        state: standingOf(curated, results.state, { pairs, researched }, excluded),
      }
    }),
    scope,
  )
}
