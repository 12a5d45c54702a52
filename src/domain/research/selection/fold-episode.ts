import * as t from 'io-ts'
import { type EpisodeEvent, LeaseEffect } from '../episode/events.ts'
import { engineKey } from '../terms.ts'
import type { SchedulerModel } from './scheduler-model.ts'

/** Folds an event of an episode's stream into the model. */
export const foldEpisode = (model: SchedulerModel, id: string, event: EpisodeEvent): void => {
  const { type, data } = event
  const episode = model.episode(id)
  switch (type) {
    case 'LeaseGranted': {
      const { lease, deadline, notAfter } = data
      const clips = data.clips.map((clip) => model.clip(clip))
      model.leases.grant({ id: lease, episode, clips, deadline, notAfter })
      break
    }
    case 'WorkItemTaken':
    case 'WorkItemLapsed':
      model.leases.withdrawItem(data.lease, episode)
      break
    case 'LeaseExtended':
      model.leases.extend(data.lease, episode, data.deadline)
      break
    case 'LeaseExpired':
      model.leases.end(data.lease, episode)
      if (data.silent !== undefined && data.silent >= model.policy.attempts) model.setUnheard(episode, true)
      break
    case 'LeaseReleased':
      model.leases.end(data.lease, episode)
      model.setUnheard(episode, false)
      break
    case 'LeaseRevoked':
      model.leases.end(data.lease, episode)
      break
    case 'ClipResearched':
      foldResult(model, id, data)
      break
    case 'ResearchFailed':
      affect(model, episode, data.lease, data.effect)
      model.setUnheard(episode, false)
      if (data.attempt === undefined) return
      if (data.subject === 'episode') model.failEpisode(episode, data.retryAt)
      if (data.subject === 'pair' && data.clip !== undefined)
        model.failPair(episode, model.clip(data.clip), data.retryAt)
      break
    case 'Retried':
      model.forgetPairFailures(episode)
      model.forgetEpisodeFailure(episode)
      model.setUnheard(episode, false)
      break
    case 'Reopened': {
      const clips = data.clips?.map((clip) => model.clip(clip))
      model.openUnlessKept(episode, model.pairs.reopen(episode, data.engines, clips))
      break
    }
    // A verdict changes nothing in what can be leased.
    case 'FindingJudged':
      break
    default:
      model.curateEpisode(episode, event)
      break
  }
}

/**
 * The fields of a result that the model uses. Validating no more makes folding tens of millions of them several times
 * faster.
 */
export const Result = t.intersection([
  t.type({ clip: t.string, engine: t.type({ name: t.string, version: t.string }), effect: LeaseEffect }),
  t.partial({ lease: t.string }),
])

export const foldResult = (model: SchedulerModel, id: string, result: t.TypeOf<typeof Result>): void => {
  const episode = model.episode(id)
  const clip = model.clip(result.clip)
  model.pairs.finish(episode, clip, engineKey(result.engine))
  model.forgetPairFailure(episode, clip)
  model.forgetEpisodeFailure(episode)
  model.setUnheard(episode, false)
  affect(model, episode, result.lease, result.effect)
}

/** A result without a lease, or under one that had ended, has no effect on leases (L37). */
const affect = (
  model: SchedulerModel,
  episode: number,
  lease: string | undefined,
  effect: LeaseEffect,
): void => {
  if (lease === undefined) return
  if (effect.kind === 'extended') model.leases.extend(lease, episode, effect.deadline)
  if (effect.kind === 'revoked') model.leases.end(lease, episode)
}
