import type { Condition } from '../../ports/view-store.ts'
import { countCommon, has, setOf } from './bitmap.ts'
import { doneIn, type LiveClips } from './pairs.ts'
import { is, isSet, rows, type Views } from './reading.ts'
import { deskIn } from './standing.ts'
import type { EpisodeResultsRow } from './tables.ts'
import { clips as clipView, episodes as episodeView, failures } from './views.ts'

/** Pairs that are to be researched, but for those that wait for a person: what is excluded or parked comes to no end by itself. */
export const workableLeft = (
  store: Views,
  episodes: readonly EpisodeResultsRow[],
  { numberOf }: LiveClips,
): number => {
  const { excludedCurators } = deskIn(store)
  const barredClips = barred(store, clipView, excludedCurators)
  const barredEpisodes = barred(store, episodeView, excludedCurators)
  const numbers = [...numberOf].flatMap(([clip, number]) => (barredClips.has(clip) ? [] : [number]))
  const clips = setOf(numbers)
  const parkedIn = Map.groupBy(
    rows(store, failures, { where: [isSet('parkedAt')] }),
    ({ episode }) => episode,
  )
  let left = 0
  for (const row of episodes) {
    if (barredEpisodes.has(row.episode)) continue
    const done = doneIn(row)
    const parked = (parkedIn.get(row.episode) ?? []).filter(({ clip }) => {
      const number = numberOf.get(clip)
      return number !== undefined && has(clips, number) && !has(done, number)
    })
    left += numbers.length - countCommon(done, clips) - parked.length
  }
  return left
}

/** Excluded, of an excluded curator, or parked. */
const barred = (
  store: Views,
  { name, key: [id] }: typeof clipView | typeof episodeView,
  excludedCurators: ReadonlySet<string>,
): ReadonlySet<unknown> => {
  const ways: readonly Condition[] = [
    is('excluded', 1),
    isSet('parkedAt'),
    { column: 'curator', is: 'in', value: [...excludedCurators] },
  ]
  return new Set(ways.flatMap((way) => store.tally(name, { by: [id], where: [way] }).map((row) => row[id])))
}
