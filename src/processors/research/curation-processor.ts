import type { Command } from '../../domain/kernel/decider.ts'
import type { MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import { clipDecider } from '../../domain/research/clip/decide.ts'
import type { Curate, Withdraw } from '../../domain/research/curation-commands.ts'
import {
  type Curated,
  clipsTopic,
  episodesTopic,
  type Withdrawn,
} from '../../domain/research/curation-messages.ts'
import { episodeDecider } from '../../domain/research/episode/decide.ts'
import { clipStream, episodeStream } from '../../domain/research/terms.ts'
import type { Clock } from '../../ports/clock.ts'
import { planFor } from '../runtime/plan.ts'
import type { Plan, Processor } from '../runtime/processor.ts'

type CurationMessage = MessagesOf<typeof episodesTopic | typeof clipsTopic>

/**
 * What curators see becomes the word of each episode's and clip's stream. It counts from its intake, however old the message
 * is: new clips wait for others from then on (X12).
 */
export const curationProcessor = (clock: Clock): Processor => ({
  name: 'research-curation',
  topics: [episodesTopic, clipsTopic],
  plan: async (messages) => messages.map((message) => [planOf(message as CurationMessage, clock.now())]),
})

const planOf = (message: CurationMessage, now: string): Plan => {
  const by = { actor: message.source, at: now }
  const { id } = message.data
  switch (message.type) {
    case 'episode.curated':
      return planFor(episodeDecider, episodeStream(id), curate(message.data, by))
    case 'clip.curated':
      return planFor(clipDecider, clipStream(id), curate(message.data, by))
    case 'episode.withdrawn':
      return planFor(episodeDecider, episodeStream(id), withdraw(message.data, by, now))
    case 'clip.withdrawn':
      return planFor(clipDecider, clipStream(id), withdraw(message.data, by, now))
  }
}

type By = Pick<Command, 'actor' | 'at'>

const curate = (curated: Curated, by: By): Curate => {
  const { title, mediaUri, mediaType, curator, description, priority, curatedAt, firstCuratedAt } = curated
  const described = description === undefined ? {} : { description }
  const details = { title, mediaUri, mediaType, curator, priority, ...described }
  return { type: 'Curate', details, curatedAt, firstCuratedAt, ...by }
}

/** It happened when its curator says, if that is not to come. */
const withdraw = ({ curator, reason, withdrawnAt }: Withdrawn, { actor }: By, now: string): Withdraw => ({
  type: 'Withdraw',
  curator,
  reason,
  actor,
  at: earlier(withdrawnAt, now),
})
