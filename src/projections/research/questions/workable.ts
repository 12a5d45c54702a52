import { type ConditionOn, is, isSet, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { clips as clipView, episodes as episodeView, failures } from '../../../domain/research/views.ts'
import { has, setOf } from './bitmap.ts'
import type { DonePairs } from './done-pairs.ts'
import { doneIn, type LiveClips } from './pairs.ts'
import { idsOf } from './reading.ts'
import { policyIn } from './standing.ts'

/** Pairs left to research, without those that wait for a person (the excluded, the parked) or for a next try. */
export const workableLeft = (store: Views, pairs: DonePairs, { numberOf }: LiveClips): number => {
  const { excludedCurators } = policyIn(store)
  const barredClips = barred(store, clipView, excludedCurators)
  const barredEpisodes = barred(store, episodeView, excludedCurators)
  const numbers = [...numberOf].flatMap(([clip, number]) => (barredClips.has(clip) ? [] : [number]))
  const clips = setOf(numbers)
  // A failed pair has one of these. Their indexes hold its key: rows are wide.
  const failed = (['retryAt', 'parkedAt'] as const).flatMap((column) =>
    narrowRows(store, failures, ['episode', 'clip'], { where: [isSet(column)] }),
  )
  const failedIn = Map.groupBy(failed, ({ episode }) => episode)
  const waiting = [...failedIn.keys()].filter((episode) => !barredEpisodes.has(episode))
  const failedOpen = pairs.rowsOf(waiting).reduce((sum, row) => {
    const done = doneIn(row)
    const open = failedIn.get(row.episode)!.filter(({ clip }) => {
      const number = numberOf.get(clip)
      return number !== undefined && has(clips, number) && !has(done, number)
    })
    return sum + open.length
  }, 0)
  const workedOn = pairs.episodes - pairs.live([...barredEpisodes])
  return workedOn * numbers.length - pairs.researched(numbers, [...barredEpisodes]) - failedOpen
}

/** Excluded, of an excluded curator, or failed: parked, or tried again later. */
const barred = (
  store: Views,
  shape: typeof clipView | typeof episodeView,
  excludedCurators: ReadonlySet<string>,
): ReadonlySet<string> => {
  const ways: readonly (readonly ConditionOn<typeof shape>[])[] = [
    [is('excluded', 1)],
    [isSet('parkedAt')],
    // The parked ones among them are there already: so the index of these alone answers it.
    [isSet('retryAt'), is('parkedAt', null)],
    ...(excludedCurators.size === 0
      ? []
      : [[{ column: 'curator', is: 'in', value: [...excludedCurators] } as const]]),
  ]
  return new Set(ways.flatMap((way) => idsOf(store, shape, ...way) as readonly string[]))
}
