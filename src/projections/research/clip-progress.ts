import type { ClipProgress } from './answers.ts'
import { tallyBitmaps } from './bitmap.ts'
import { doneIn, liveEpisodes, matchedIn } from './pairs.ts'
import { byPriority, compare, is, rows, type Views } from './reading.ts'
import { deskIn, type ListScope, page, standingOf } from './standing.ts'
import { clipResults, clips } from './views.ts'

export interface ClipScope extends ListScope {
  /** This one alone. */
  readonly clip?: string
}

/** In how many live episodes each clip was looked for and found, also those that only results name; in the order of priority and date. */
export const clipProgress = (store: Views, { clip, ...scope }: ClipScope = {}): readonly ClipProgress[] => {
  const where = clip === undefined ? [] : [is('clip', clip)]
  const curation = new Map(rows(store, clips, { where }).map((row) => [row.clip, row]))
  const { pinnedCurators: pinned, excludedCurators: excluded } = deskIn(store)
  const ordered = rows(store, clipResults, { where })
    .map((results) => ({ results, curated: curation.get(results.clip) }))
    .sort(
      (one, other) =>
        byPriority(one.curated, other.curated, pinned) || compare(one.results.clip, other.results.clip),
    )

  const size = ordered.reduce((most, { results }) => Math.max(most, (results.number ?? 0) + 1), 0)
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
