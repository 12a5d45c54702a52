import type { SchedulerModel } from './scheduler-model.ts'
import type { EpisodeReason, Explanation, PairReason } from './scheduler-state.ts'
import { isPinned, whyIneligible } from './standing.ts'

/** Explains why an episode is next, or is not (X4). */
export const explainEpisode = (model: SchedulerModel, id: string): Explanation => {
  const episode = model.episodes.find(id)
  const clips = countClips(model, episode)
  if (episode === undefined)
    return {
      episode: id,
      priority: 0,
      pinned: false,
      clips,
      reasons: [{ kind: 'unknown' }],
    }
  const { priority, firstCuratedAt } = model.episodes.at(episode)
  const reasons = [
    ...whyIneligible(model.episodes.at(episode), model.excludedCurators),
    ...clipReasons(model, episode, clips),
  ]
  return {
    episode: id,
    priority,
    ...(firstCuratedAt !== undefined && { firstCuratedAt }),
    pinned: isPinned(model.episodes.at(episode), model.pinnedCurators),
    clips,
    reasons: reasons.length > 0 ? reasons : [placeOf(model, episode)],
  }
}

/** Counts the clips that can be leased, or wait. */
const countClips = (model: SchedulerModel, episode: number | undefined): Explanation['clips'] => {
  const clips = [...model.clipOrder.ready(), ...model.clipOrder.waiting()]
  const leases = episode === undefined ? [] : model.leases.liveIn(episode)
  const inLease = new Set(leases.flatMap((lease) => lease.clips))
  let [researched, leased] = [0, 0]
  if (episode !== undefined)
    for (const clip of clips)
      if (model.pairs.isDone(episode, clip)) researched++
      else if (inLease.has(clip)) leased++
  return { total: clips.length, researched, leased, open: clips.length - researched - leased }
}

/** Returns why no clip of the episode can be leased; empty if one is open. */
const clipReasons = (
  model: SchedulerModel,
  episode: number,
  { total, researched, leased }: Explanation['clips'],
): EpisodeReason[] => {
  if (total === 0) return [{ kind: 'no-clips' }]
  if (model.pairs.closedCount(episode) < model.pairs.counted) return []
  if (researched === total) return [{ kind: 'researched' }]
  const reasons: EpisodeReason[] = []
  const deadline = earliest(model.leases.liveIn(episode).map((lease) => lease.deadline))
  if (leased > 0 && deadline !== undefined) reasons.push({ kind: 'leased', until: deadline })
  const closed = model.pairs.closedOf(episode)
  const until = model.waiting.due()
  if (until !== undefined && model.clipOrder.waiting().some((clip) => !closed.has(clip)))
    reasons.push({ kind: 'clips-wait', until })
  const failed = [...(model.pairFailures.get(episode) ?? [])].filter(
    ([clip]) => model.pairs.counts(clip) || model.clipOrder.isWaiting(clip),
  )
  const retryAt = earliest(failed.flatMap(([, failure]) => failure.retryAt ?? []))
  if (retryAt !== undefined) reasons.push({ kind: 'backing-off', until: retryAt })
  if (failed.some(([, failure]) => failure.retryAt === undefined)) reasons.push({ kind: 'parked' })
  return reasons
}

const placeOf = (model: SchedulerModel, episode: number): EpisodeReason => {
  const clips = model.pairs.counted
  const first = model.episodeOrder.first(clips)
  if (first === undefined || first === episode) return { kind: 'next' }
  const places = model.episodeOrder.before(episode, clips)
  return { kind: 'behind', next: model.episodes.at(first).id, places }
}

const earliest = (times: readonly string[]): string | undefined =>
  times.reduce<string | undefined>(
    (least, time) => (least === undefined || time < least ? time : least),
    undefined,
  )

/** Explains why a pair can, or cannot, be leased. Its episode has reasons of its own. */
export const explainPair = (
  model: SchedulerModel,
  episodeId: string,
  clipId: string,
): readonly PairReason[] => {
  const clip = model.clips.find(clipId)
  if (clip === undefined) return [{ kind: 'unknown-clip' }]
  const reasons = [
    ...reasonsOfClip(model, clip),
    ...reasonsOfPair(model, model.episodes.find(episodeId), clip),
  ]
  return reasons.length > 0 ? reasons : [{ kind: 'open' }]
}

const reasonsOfClip = (model: SchedulerModel, clip: number): PairReason[] => {
  const reasons: PairReason[] = []
  for (const found of whyIneligible(model.clips.at(clip), model.excludedCurators))
    if (found.kind === 'unknown') reasons.push({ kind: 'unknown-clip' })
    else if (found.kind === 'backing-off') reasons.push({ kind: 'clip-backing-off', until: found.until })
    else reasons.push({ kind: `clip-${found.kind}` })
  const until = model.waiting.due()
  if (until !== undefined && model.waiting.clips.has(clip)) reasons.push({ kind: 'clip-waits', until })
  return reasons
}

const reasonsOfPair = (model: SchedulerModel, episode: number | undefined, clip: number): PairReason[] => {
  if (episode === undefined) return []
  const reasons: PairReason[] = []
  if (model.pairs.isDone(episode, clip)) reasons.push({ kind: 'researched' })
  for (const { id, deadline, clips } of model.leases.liveIn(episode))
    if (clips.includes(clip)) reasons.push({ kind: 'leased', lease: id, until: deadline })
  const failure = model.pairFailures.get(episode)?.get(clip)
  if (failure)
    reasons.push(
      failure.retryAt === undefined
        ? { kind: 'pair-parked' }
        : { kind: 'pair-backing-off', until: failure.retryAt },
    )
  return reasons
}
