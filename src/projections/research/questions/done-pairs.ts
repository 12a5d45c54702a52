import { type ConditionOn, countRows, is, narrowRows, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clipResults, episodeResults } from '../../../domain/research/views.ts'
import { countCommon, setOf } from './bitmap.ts'
import { type DoneRow, doneColumns, doneIn, matchedIn } from './pairs.ts'

/*
 * Sums over live episodes. An episode's own counts are of its pairs with any clips: where the clips that are asked for are
 * all that are known, the sums of those counts are exact, and SQLite adds them up. Else the bitmaps are read, of episodes
 * that have any.
 */

type On = ConditionOn<typeof episodeResults>

const isLive: On = is('state', 'live')
const above = (column: 'researched' | 'found', least: number): On => ({ column, is: '>', value: least })
const among = (ids: readonly string[]): On => ({ column: 'episode', is: 'in', value: ids })

export interface DonePairs {
  /** Number of live episodes. */
  readonly episodes: number
  /** Done pairs of these clips, by their numbers, in all live episodes but these. */
  researched(clips: readonly number[], without?: readonly string[]): number
  /** Pairs of these clips with a match, in all live episodes. */
  found(clips: readonly number[]): number
  /** Live episodes in which all of these clips are done: none if there are no clips. */
  whole(clips: readonly number[]): number
  /** How many of these episodes are live. */
  live(episodes: readonly string[]): number
  /** Those of these episodes that are live. */
  rowsOf(episodes: readonly string[]): readonly DoneRow[]
}

/** Reads the views once for all answers; bitmaps only when an answer needs them. */
export const donePairs = (store: Views): DonePairs => {
  const rowsWhere = (...where: readonly On[]) =>
    narrowRows(store, episodeResults, doneColumns, { where: [isLive, ...where] })
  const sums = (...where: readonly On[]) => {
    const [sum] = tally(store, episodeResults, {
      by: [],
      sum: ['researched', 'found'],
      where: [isLive, ...where],
    })
    return { count: sum?.count ?? 0, researched: sum?.researched ?? 0, found: sum?.found ?? 0 }
  }
  const known = countRows(store, clipResults)
  const all = sums()
  let begun: readonly DoneRow[] | undefined
  const begunRows = () => {
    begun ??= rowsWhere(above('researched', 0))
    return begun
  }
  const isAll = (clips: readonly number[]) => clips.length === known
  return {
    episodes: all.count,
    researched: (clips, without = []) => {
      if (isAll(clips)) return all.researched - (without.length === 0 ? 0 : sums(among(without)).researched)
      const [set, left] = [setOf(clips), new Set(without)]
      return begunRows().reduce(
        (sum, row) => sum + (left.has(row.episode) ? 0 : countCommon(doneIn(row), set)),
        0,
      )
    },
    found: (clips) => {
      if (isAll(clips)) return all.found
      const set = setOf(clips)
      return rowsWhere(above('found', 0)).reduce((sum, row) => sum + countCommon(matchedIn(row), set), 0)
    },
    whole: (clips) => {
      if (clips.length === 0) return 0
      if (isAll(clips)) return sums(above('researched', clips.length - 1)).count
      const set = setOf(clips)
      return begunRows().filter((row) => countCommon(doneIn(row), set) === clips.length).length
    },
    live: (episodes) => (episodes.length === 0 ? 0 : sums(among(episodes)).count),
    rowsOf: (episodes) => (episodes.length === 0 ? [] : rowsWhere(among(episodes))),
  }
}
