import { right } from 'fp-ts/lib/Either.js'
import { earlier } from '../../kernel/time.ts'
import { hasClip } from '../clip-set.ts'
import { type Failures, failedAgain } from '../failing.ts'
import type { Fail, Report, Researcher } from './commands.ts'
import type { EpisodeEvent } from './events.ts'
import { timesFailed } from './failing-pairs.ts'
import { type Effect, effectOn, isHeldBy } from './lease-effect.ts'
import type { Decision } from './rejections.ts'
import { type EpisodeState, isResearched } from './state.ts'

/* Reports of researchers. They are never rejected: whatever became of the lease, the work was done (L37, F8, F27). */

export const report = ({ result, formerly, at }: Report, state: EpisodeState): Decision => {
  const { lease, researcher, clip, final = false } = result
  const touched = effectOn(state.leases, { lease, researcher, ends: final, at })
  const { episodeHash, clipHash, bestScore, note, gaps, silent } = result
  const researched: EpisodeEvent = {
    type: 'ClipResearched',
    data: {
      clip,
      researcher,
      matches: [...result.matches],
      episodeDuration: result.episodeDuration,
      clipDuration: result.clipDuration,
      engine: result.engine,
      researchedAt: earlier(result.researchedAt, at),
      final,
      effect: touched.effect,
      repeat: isResearched(state, clip),
      at,
      ...(lease !== undefined && { lease }),
      ...oddities(touched, { researcher, formerly }, clip),
      ...(episodeHash !== undefined && { episodeHash }),
      ...(clipHash !== undefined && { clipHash }),
      ...(bestScore !== undefined && { bestScore }),
      ...(note !== undefined && { note }),
      ...(gaps !== undefined && { gaps }),
      ...(silent !== undefined && { silent }),
    },
  }
  return right([...touched.before, researched])
}

/** Anomalies. They change nothing: the lease is extended by its id alone (F28). */
const oddities = ({ lease }: Effect, by: Researcher, clip: string) => ({
  ...(lease && !hasClip(lease.clips, clip) && { outsideLease: true }),
  ...(lease?.holder !== undefined && !isHeldBy(lease, by) && { notTheHolder: true }),
})

/** A failure of the episode itself ends its lease: nothing else in it can be done. */
export const fail = ({ failure, policy, at }: Fail, state: EpisodeState): Decision => {
  const { subject, stage, error, researcher, clip, lease, final = false } = failure
  const ends = final || subject === 'episode'
  const { before, effect } = effectOn(state.leases, { lease, researcher, ends, at })
  const failures = failuresBefore(failure, state)
  const failed: EpisodeEvent = {
    type: 'ResearchFailed',
    data: {
      subject,
      stage,
      error,
      researcher,
      effect,
      at,
      ...(clip !== undefined && { clip }),
      ...(lease !== undefined && { lease }),
      ...(failures !== undefined && failedAgain(failures, policy, at)),
    },
  }
  return right([...before, failed])
}

/**
 * Undefined where a failure does not count here: a clip's counts in its own stream, and a pair that is done needs no
 * attempt. A pair is in one lease at a time: each of its failures is an attempt.
 */
const failuresBefore = ({ subject, clip }: Fail['failure'], state: EpisodeState): Failures | undefined => {
  if (subject === 'episode') return state.failures
  if (subject === 'clip' || clip === undefined || isResearched(state, clip)) return undefined
  return { count: timesFailed(state.failing, clip) }
}
