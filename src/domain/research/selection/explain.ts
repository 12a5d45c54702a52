import type { EpisodeReason, Explanation, PairReason } from './board.ts'
import type { BoardState } from './board-state.ts'
import { hindrances, isPinned } from './standing.ts'

/** Why an episode is, or is not, what would be handed out (X4). */
export const explainEpisode = (board: BoardState, id: string): Explanation => {
  const episode = board.episodes.find(id)
  const clips = countClips(board, episode)
  if (episode === undefined)
    return {
      episode: id,
      priority: 0,
      firstCuratedAt: undefined,
      pinned: false,
      clips,
      reasons: [{ kind: 'unknown' }],
    }
  const { priority, firstCuratedAt } = board.episodes.at(episode)
  const reasons = [
    ...hindrances(board.episodes.at(episode), board.excludedCurators),
    ...clipReasons(board, episode, clips),
  ]
  return {
    episode: id,
    priority,
    firstCuratedAt,
    pinned: isPinned(board.episodes.at(episode), board.pinnedCurators),
    clips,
    reasons: reasons.length > 0 ? reasons : [placeOf(board, episode)],
  }
}

/** Of clips that can be handed out, or wait. */
const countClips = (board: BoardState, episode: number | undefined): Explanation['clips'] => {
  const clips = [...board.clipOrder.ready(), ...board.clipOrder.waiting()]
  const leases = episode === undefined ? [] : board.leases.liveIn(episode)
  const inLease = new Set(leases.flatMap((lease) => lease.clips))
  let [researched, leased] = [0, 0]
  if (episode !== undefined)
    for (const clip of clips)
      if (board.pairs.isDone(episode, clip)) researched++
      else if (inLease.has(clip)) leased++
  return { total: clips.length, researched, leased, open: clips.length - researched - leased }
}

/** None where a clip is open. */
const clipReasons = (
  board: BoardState,
  episode: number,
  { total, researched, leased }: Explanation['clips'],
): EpisodeReason[] => {
  if (total === 0) return [{ kind: 'no-clips' }]
  if (board.pairs.closedCount(episode) < board.pairs.counted) return []
  if (researched === total) return [{ kind: 'researched' }]
  const reasons: EpisodeReason[] = []
  const deadline = earliest(board.leases.liveIn(episode).map((lease) => lease.deadline))
  if (leased > 0 && deadline !== undefined) reasons.push({ kind: 'leased', until: deadline })
  const closed = board.pairs.closedOf(episode)
  const until = board.waiting.due()
  if (until !== undefined && board.clipOrder.waiting().some((clip) => !closed.has(clip)))
    reasons.push({ kind: 'clips-wait', until })
  const failed = [...(board.pairFailures.get(episode) ?? [])].filter(
    ([clip]) => board.pairs.counts(clip) || board.clipOrder.isWaiting(clip),
  )
  const retryAt = earliest(failed.flatMap(([, failure]) => failure.retryAt ?? []))
  if (retryAt !== undefined) reasons.push({ kind: 'backing-off', until: retryAt })
  if (failed.some(([, failure]) => failure.retryAt === undefined)) reasons.push({ kind: 'parked' })
  return reasons
}

const placeOf = (board: BoardState, episode: number): EpisodeReason => {
  const clips = board.pairs.counted
  const first = board.episodeOrder.first(clips)
  if (first === undefined || first === episode) return { kind: 'next' }
  const places = board.episodeOrder.before(episode, clips)
  return { kind: 'behind', next: board.episodes.at(first).id, places }
}

const earliest = (times: readonly string[]): string | undefined =>
  times.reduce<string | undefined>(
    (least, time) => (least === undefined || time < least ? time : least),
    undefined,
  )

/** Why a pair can, or cannot, be handed out; the episode has reasons of its own. */
export const explainPair = (board: BoardState, episodeId: string, clipId: string): readonly PairReason[] => {
  const clip = board.clips.find(clipId)
  if (clip === undefined) return [{ kind: 'unknown-clip' }]
  const reasons = [
    ...clipHindrances(board, clip),
    ...pairHindrances(board, board.episodes.find(episodeId), clip),
  ]
  return reasons.length > 0 ? reasons : [{ kind: 'open' }]
}

const clipHindrances = (board: BoardState, clip: number): PairReason[] => {
  const reasons: PairReason[] = []
  for (const found of hindrances(board.clips.at(clip), board.excludedCurators))
    if (found.kind === 'unknown') reasons.push({ kind: 'unknown-clip' })
    else if (found.kind === 'backing-off') reasons.push({ kind: 'clip-backing-off', until: found.until })
    else reasons.push({ kind: `clip-${found.kind}` })
  const until = board.waiting.due()
  if (until !== undefined && board.waiting.clips.has(clip)) reasons.push({ kind: 'clip-waits', until })
  return reasons
}

const pairHindrances = (board: BoardState, episode: number | undefined, clip: number): PairReason[] => {
  if (episode === undefined) return []
  const reasons: PairReason[] = []
  if (board.pairs.isDone(episode, clip)) reasons.push({ kind: 'researched' })
  for (const { id, deadline, clips } of board.leases.liveIn(episode))
    if (clips.includes(clip)) reasons.push({ kind: 'leased', lease: id, until: deadline })
  const failure = board.pairFailures.get(episode)?.get(clip)
  if (failure)
    reasons.push(
      failure.retryAt === undefined
        ? { kind: 'pair-parked' }
        : { kind: 'pair-backing-off', until: failure.retryAt },
    )
  return reasons
}
