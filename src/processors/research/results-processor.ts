import type { MessagesOf } from '../../domain/kernel/message.ts'
import { blockedTakeDecider } from '../../domain/research/blocked-take.ts'
import { clipDecider } from '../../domain/research/clip/decide.ts'
import type { EpisodeCommand, Researcher } from '../../domain/research/episode/commands.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { defaultPolicy, type Policy } from '../../domain/research/policy/policy.ts'
import { type ResearchFailedMessage, resultsTopic } from '../../domain/research/result-messages.ts'
import { clipStream, episodeStream } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { BlockedLookup } from './blocked-lookup.ts'
import type { PolicyLookup } from './policy-lookup.ts'
import { asGiven, type ResearcherNames } from './researcher-names.ts'

type ResultMessage = MessagesOf<typeof resultsTopic>

/**
 * Routes reports as commands to the stream of their episode. They are dated by their intake, whatever the researcher's
 * clock says: one clock decides which leases have expired (F12, F26).
 */
export const resultsProcessor = (
  policy: PolicyLookup,
  blockedAmong: BlockedLookup,
  clock: Clock,
  states: Pick<StreamStates, 'cached'>,
  named: ResearcherNames = asGiven,
): Processor => ({
  name: 'research-results',
  group: 'fonds.research.results',
  topics: [resultsTopic],
  route: async (batch) => {
    const given = batch as readonly ResultMessage[]
    const nameOf = await named(new Set(given.map(({ data }) => data.researcher)))
    const messages = given.map((message): Named => ({ message, by: nameOf(message.data.researcher) }))
    // Only failures need the settings.
    const failed = given.some(({ type }) => type === 'research.failed')
    const takers = messages.flatMap(({ message, by }) =>
      message.type === 'item.taken' ? [by.researcher] : [],
    )
    const known: Known = {
      policy: failed ? await policy() : defaultPolicy,
      blocked: await blockedAmong(new Set(takers)),
      states,
    }
    return messages.map((message) => routesOf(message, known, clock.now()))
  },
})

interface Named {
  readonly message: ResultMessage
  readonly by: Researcher
}

/** Data read once for a batch of messages. */
interface Known {
  readonly policy: Policy
  readonly blocked: ReadonlySet<string>
  readonly states: Pick<StreamStates, 'cached'>
}

const routesOf = (
  { message, by: { researcher, formerly } }: Named,
  { policy, blocked, states }: Known,
  at: string,
): readonly Route[] => {
  const by = { actor: message.source, at }
  switch (message.type) {
    case 'clip.researched': {
      const { episode, ...given } = message.data
      const result = { ...given, researcher }
      return [
        onEpisode(episode, { type: 'Report', result, formerly, ...by }),
        ...recoveryOf(result.clip, by, states),
      ]
    }
    case 'research.failed': {
      const whole = { ...message.data, researcher }
      const { episode, ...failure } = whole
      return [
        onEpisode(episode, { type: 'Fail', failure, policy, ...by }),
        ...failuresOfClip(whole, policy, by),
      ]
    }
    case 'item.taken': {
      const { episode, lease } = message.data
      const take = { type: 'Take', lease, researcher, formerly, ...by } as const
      return [
        blocked.has(researcher)
          ? routeTo(blockedTakeDecider, episodeStream(episode), take)
          : onEpisode(episode, take),
      ]
    }
    case 'lease.released': {
      const { episode, lease, reason } = message.data
      return [onEpisode(episode, { type: 'Release', lease, researcher, formerly, reason, ...by })]
    }
  }
}

/** A clip whose media fails does so for every episode: its own stream counts the attempts. */
const failuresOfClip = (
  { subject, clip, stage, error, episode, researcher }: ResearchFailedMessage,
  policy: Policy,
  by: { readonly actor: string; readonly at: string },
): readonly Route[] =>
  subject === 'clip' && clip !== undefined
    ? [
        routeTo(clipDecider, clipStream(clip), {
          type: 'Fail',
          stage,
          error,
          episode,
          researcher,
          policy,
          ...by,
        }),
      ]
    : []

/**
 * A result ends a clip's run of failures. Results are too many to read the clip's stream for each: the process that
 * counted the failures still has its state in memory.
 */
const recoveryOf = (
  clip: string,
  by: { readonly actor: string; readonly at: string },
  states: Pick<StreamStates, 'cached'>,
): readonly Route[] => {
  const stream = clipStream(clip)
  const failures = states.cached(clipDecider, stream)?.state.failures.count ?? 0
  return failures > 0 ? [routeTo(clipDecider, stream, { type: 'Recover', ...by })] : []
}

const onEpisode = (episode: string, command: EpisodeCommand): Route =>
  routeTo(episodeDecider, episodeStream(episode), command)
