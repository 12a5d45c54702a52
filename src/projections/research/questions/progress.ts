import type { Views } from '../../../domain/kernel/view.ts'
import type { Progress } from './answers.ts'
import { forecastOf } from './forecast.ts'
import { waitingFor } from './next-tries.ts'
import { amountsOf, liveClips, liveEpisodes } from './pairs.ts'
import { parked } from './parked.ts'
import { rateOf } from './rate.ts'
import { heldLeases } from './reading.ts'
import { workableLeft } from './workable.ts'

/** Next tries that are listed. */
const maxTries = 10
/** Parked ones that are listed: `parked` has all. */
const maxParked = 3

/** X1: how far all of it is. */
export const progress = (store: Views, now: string): Progress => {
  const clips = liveClips(store)
  const episodes = liveEpisodes(store)
  const leases = Map.groupBy(heldLeases(store, now), ({ episode }) => episode)
  const sum = { pairs: 0, researched: 0, leased: 0, open: 0, found: 0 }
  let episodesDone = 0
  for (const row of episodes) {
    const amounts = amountsOf(row, leases.get(row.episode) ?? [], clips)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += amounts[name]
    if (amounts.pairs > 0 && amounts.researched === amounts.pairs) episodesDone++
  }
  const workable = workableLeft(store, episodes, clips)
  const waitsForPerson = parked(store)
  const waiting = waitingFor(store, maxTries)
  return {
    ...sum,
    episodes: episodes.length,
    clips: clips.count,
    episodesDone,
    parked: waitsForPerson.length,
    waiting: waiting.count,
    nextTries: waiting.first,
    firstParked: waitsForPerson.slice(0, maxParked),
    rate: rateOf(store, now),
    ...forecastOf(store, { ...sum, workable }, now),
    at: now,
  }
}
