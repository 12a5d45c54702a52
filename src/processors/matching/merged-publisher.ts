import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { category, mergedEvents } from '../../domain/matching/merged/events.ts'
import { mergedTopic, type WorkMergedMessage } from '../../domain/matching/messages.ts'
import type { Subscription } from '../runtime/leader-subscription.ts'
import { type OutboxDependencies, outbox } from '../runtime/outbox.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { envelopeOf } from './published-message.ts'

export const mergedOutbox = {
  name: 'matching-merged',
  filter: { categories: [category], types: ['WorkMerged'] },
} as const

/** Publishes each document that was written, for consumers that show them. */
export const mergedPublisher = (deps: OutboxDependencies): Subscription =>
  outbox(
    {
      ...mergedOutbox,
      batchSize: 2000,
      recordsOf: (recorded) => {
        const { type, data: merged } = readOrStop(mergedEvents, recorded)
        if (type !== 'WorkMerged') return []
        const { generation, version, document } = merged
        const data: WorkMergedMessage = { work: idOf(recorded.stream), generation, version, document }
        return [
          writeMessage({ ...envelopeOf(recorded), id: recorded.id, type: 'work.merged', data }, mergedTopic),
        ]
      },
    },
    deps,
  )
