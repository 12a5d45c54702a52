import * as t from 'io-ts'
import { type EpisodeEvent, LeaseEffect } from '../episode/events.ts'
import { engineKey } from '../terms.ts'
import type { BoardState } from './board-state.ts'

/** What an event in the stream of an episode means to the board. */
export const foldEpisode = (board: BoardState, id: string, event: EpisodeEvent): void => {
  const { type, data } = event
  const episode = board.episode(id)
  switch (type) {
    case 'LeaseGranted': {
      const { lease, deadline, notAfter } = data
      const clips = data.clips.map((clip) => board.clip(clip))
      board.leases.grant({ id: lease, episode, clips, deadline, notAfter })
      break
    }
    case 'WorkItemTaken':
    case 'WorkItemLapsed':
      board.leases.withdrawItem(data.lease, episode)
      break
    case 'LeaseExtended':
      board.leases.extend(data.lease, episode, data.deadline)
      break
    case 'LeaseExpired':
      board.leases.end(data.lease, episode)
      if (data.silent !== undefined && data.silent >= board.policy.attempts) board.setUnheard(episode, true)
      break
    case 'LeaseReleased':
      board.leases.end(data.lease, episode)
      board.setUnheard(episode, false)
      break
    case 'LeaseRevoked':
      board.leases.end(data.lease, episode)
      break
    case 'ClipResearched':
      foldResult(board, id, data)
      break
    case 'ResearchFailed':
      affect(board, episode, data.lease, data.effect)
      board.setUnheard(episode, false)
      if (data.attempt === undefined) return
      if (data.subject === 'episode') board.failEpisode(episode, data.retryAt)
      if (data.subject === 'pair' && data.clip !== undefined)
        board.failPair(episode, board.clip(data.clip), data.retryAt)
      break
    case 'Retried':
      board.forgetPairFailures(episode)
      board.forgetEpisodeFailure(episode)
      board.setUnheard(episode, false)
      break
    case 'Reopened': {
      const clips = data.clips?.map((clip) => board.clip(clip))
      board.openUnlessKept(episode, board.pairs.reopen(episode, data.engines, clips))
      break
    }
    default:
      board.curateEpisode(episode, event)
      break
  }
}

/** What of a result concerns the board: looking at no more makes reading tens of millions of them some times faster. */
export const Result = t.intersection([
  t.type({ clip: t.string, engine: t.type({ name: t.string, version: t.string }), effect: LeaseEffect }),
  t.partial({ lease: t.string }),
])

export const foldResult = (board: BoardState, id: string, result: t.TypeOf<typeof Result>): void => {
  const episode = board.episode(id)
  const clip = board.clip(result.clip)
  board.pairs.finish(episode, clip, engineKey(result.engine))
  board.forgetPairFailure(episode, clip)
  board.forgetEpisodeFailure(episode)
  board.setUnheard(episode, false)
  affect(board, episode, result.lease, result.effect)
}

/** One that names no lease, or one that had ended, did nothing (L37). */
const affect = (board: BoardState, episode: number, lease: string | undefined, effect: LeaseEffect): void => {
  if (lease === undefined) return
  if (effect.kind === 'extended') board.leases.extend(lease, episode, effect.deadline)
  if (effect.kind === 'revoked') board.leases.end(lease, episode)
}
