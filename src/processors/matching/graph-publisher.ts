import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { category, graphEvents, PlaceInChange } from '../../domain/matching/graph/events.ts'
import { eventsBefore, isContinued } from '../../domain/matching/graph/whole-change.ts'
import {
  type GraphChangedMessage,
  graphsTopic,
  largeGraphsTopic,
  maxMergedTogether,
} from '../../domain/matching/messages.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { type OutboxDependencies, outbox } from '../runtime/outbox.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { envelopeOf } from './published-message.ts'
import { readStream } from './read-stream.ts'

interface GraphPublisherDependencies extends OutboxDependencies {
  readonly eventStore: Pick<EventStore, 'read'>
}

export const graphOutbox = {
  name: 'matching-graphs',
  filter: { categories: [category], types: ['GraphChanged'] },
} as const

/** An event may hold some hundreds of groups. */
const batchSize = 40

/**
 * Publishes each group of each change, for the merger: all that the matcher wrote, also after a crash in between. A
 * change of several events is sent once its last one is written; one without it is never sent.
 */
export const graphPublisher = (deps: GraphPublisherDependencies): Subscription => {
  const sender = outbox({ ...graphOutbox, batchSize, recordsOf: messagesOf }, deps)
  return {
    ...sender,
    handle: async (batch, isLeader, signal) => {
      for await (const events of wholeChanges(batch.events, deps.eventStore))
        if (!(await sender.handle({ ...batch, events }, isLeader, signal))) return false
      return true
    },
  }
}

/** The events of those changes that are whole with one of these, some at a time. */
async function* wholeChanges(
  events: readonly RecordedEvent[],
  eventStore: Pick<EventStore, 'read'>,
): AsyncGenerator<readonly RecordedEvent[]> {
  let whole: RecordedEvent[] = []
  for (const recorded of events) {
    const place = PlaceInChange.is(recorded.data) ? recorded.data : {}
    if (isContinued(place)) continue
    for (let left = eventsBefore(place); left > 0; left -= batchSize) {
      const from = recorded.revision - BigInt(left)
      yield whole
      whole = [...(await readStream(eventStore, recorded.stream, from, 'forward', Math.min(left, batchSize)))]
    }
    whole.push(recorded)
  }
  yield whole
}

const messagesOf = (recorded: RecordedEvent): readonly ProducerRecord[] => {
  const { type, data } = readOrStop(graphEvents, recorded)
  if (type !== 'GraphChanged') return []
  const { version, timeSent } = data
  const generation = Number(idOf(recorded.stream))
  const revision = Number(recorded.revision)
  return data.groups.flatMap(({ component, size, members }, group) => {
    // The piece has placeholders alone: there is nothing to merge in it.
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
}
