import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { category, graphEvents } from '../../domain/matching/graph/events.ts'
import {
  type GraphChangedMessage,
  graphsTopic,
  largeGraphsTopic,
  maxMergedTogether,
} from '../../domain/matching/messages.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { type OutboxDependencies, outbox } from '../runtime/outbox.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { envelopeOf } from './published-message.ts'

/** Each group of each change, for the merger: whatever the matcher wrote is sent, also after a crash in between. */
export const graphPublisher = (deps: OutboxDependencies): Subscription =>
  outbox(
    {
      name: 'matching-graphs',
      filter: { categories: [category], types: ['GraphChanged'] },
      // An event may hold some hundreds of groups.
      batchSize: 10,
      recordsOf: (recorded) => {
        const { type, data } = readOrStop(graphEvents, recorded)
        if (type !== 'GraphChanged') return []
        const { version, timeSent } = data
        const generation = Number(idOf(recorded.stream))
        const revision = Number(recorded.revision)
        return data.groups.flatMap(({ component, size, members }, group) => {
          // A piece of placeholders alone: there is nothing to be merged in it.
          if (members.length === 0) return []
          const published: GraphChangedMessage = {
            generation,
            version,
            timeSent,
            revision,
            group,
            component,
            size,
            members,
          }
          const id = `${recorded.id}/${group}`
          const message = { ...envelopeOf(recorded), id, type: 'graph.changed', data: published }
          const topics = size > maxMergedTogether ? [graphsTopic, largeGraphsTopic] : [graphsTopic]
          return topics.map((topic) => writeMessage(message, topic))
        })
      },
    },
    deps,
  )
