import type { Views } from '../../../domain/kernel/view.ts'
import type { Progress } from './answers.ts'
import { type DonePairs, donePairs } from './done-pairs.ts'
import { forecastOf } from './forecast.ts'
import { waitingFor } from './next-tries.ts'
import { doneIn, type LiveClips, liveClips, openOf } from './pairs.ts'
import { parked } from './parked.ts'
import { rateOf } from './rate.ts'
import { type HeldLease, heldLeases } from './reading.ts'
import { workableLeft } from './workable.ts'

/** Next tries that are listed. */
const maxTries = 10
/** Parked ones that are listed: `parked` has all. */
const maxParked = 3

/** X1: how far all of it is. */
export const progress = (store: Views, now: string): Progress => {
  const clips = liveClips(store)
  const numbers = [...clips.numberOf.values()]
  const done = donePairs(store)
  const pairs = done.episodes * clips.count
  const researched = done.researched(numbers)
  const leased = leasedOf(done, heldLeases(store, now), clips)
  const sum = { pairs, researched, leased, open: pairs - researched - leased, found: done.found(numbers) }
  const workable = workableLeft(store, done, clips)
  const waitsForPerson = parked(store)
  const waiting = waitingFor(store, maxTries)
  return {
    ...sum,
    episodes: done.episodes,
    clips: clips.count,
    episodesDone: done.whole(numbers),
    parked: waitsForPerson.length,
    waiting: waiting.count,
    nextTries: waiting.first,
    firstParked: waitsForPerson.slice(0, maxParked),
    rate: rateOf(store, now),
    ...forecastOf(store, { ...sum, workable }, now),
    at: now,
  }
}

/** Pairs under lease that are not done, of live episodes. */
const leasedOf = (done: DonePairs, held: readonly HeldLease[], clips: LiveClips): number => {
  const leases = Map.groupBy(held, ({ episode }) => episode)
  return done.rowsOf([...leases.keys()]).reduce((sum, row) => {
    const bitmap = doneIn(row)
    return leases.get(row.episode)!.reduce((open, lease) => open + openOf(lease, bitmap, clips), sum)
  }, 0)
}
