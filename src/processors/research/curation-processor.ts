import type { Command } from '../../domain/kernel/decider.ts'
import type { Message, MessagesOf } from '../../domain/kernel/message.ts'
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
import { type RefusedLocation, routeUnless } from '../runtime/foreign-location.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import { asGiven, type CuratorNames } from './curator-names.ts'

type CurationMessage = MessagesOf<typeof episodesTopic | typeof clipsTopic>

/**
 * Routes sightings to the streams of episodes and clips. They count from their intake, however old the message is: new
 * clips wait for others from then on (X12).
 */
export const curationProcessor = (
  clock: Clock,
  refusedLocation: RefusedLocation,
  named: CuratorNames = asGiven,
): Processor => ({
  name: 'research-curation',
  group: 'fonds.research.curation',
  topics: [episodesTopic, clipsTopic],
  route: async (batch) => {
    const messages = batch as readonly CurationMessage[]
    const nameOf = await named(new Set(messages.map(({ data }) => data.curator)))
    return messages.map((message) => {
      const curator = nameOf(message.data.curator)
      return [routeOf(message, curator, clock.now(), refusedLocation)]
    })
  },
})

const routeOf = (
  message: CurationMessage,
  curator: string,
  now: string,
  refusedLocation: RefusedLocation,
): Route => {
  const refused = message.foreign && 'mediaUri' in message.data && refusedLocation(message.data.mediaUri)
  const by = { actor: message.source, at: now }
  const { id } = message.data
  switch (message.type) {
    case 'episode.curated':
      return routeUnless(refused, episodeDecider, episodeStream(id), curate(message, curator, by))
    case 'clip.curated':
      return routeUnless(refused, clipDecider, clipStream(id), curate(message, curator, by))
    case 'episode.withdrawn':
      return routeTo(episodeDecider, episodeStream(id), withdraw(message.data, curator, by, now))
    case 'clip.withdrawn':
      return routeTo(clipDecider, clipStream(id), withdraw(message.data, curator, by, now))
  }
}

type By = Pick<Command, 'actor' | 'at'>

const curate = (
  { data, foreign }: Pick<Message<string, Curated>, 'data' | 'foreign'>,
  curator: string,
  by: By,
): Curate => {
  const { title, mediaUri, mediaType, description, priority, curatedAt, firstCuratedAt } = data
  const described = description === undefined ? {} : { description }
  const details = { title, mediaUri, mediaType, curator, priority, ...described, ...(foreign && { foreign }) }
  return { type: 'Curate', details, curatedAt, firstCuratedAt, ...by }
}

/** A withdrawal is dated by the curator, but not in the future. */
const withdraw = (
  { reason, withdrawnAt }: Withdrawn,
  curator: string,
  { actor }: By,
  now: string,
): Withdraw => ({
  type: 'Withdraw',
  curator,
  reason,
  actor,
  at: earlier(withdrawnAt, now),
})
