import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import {
  type RunningSubscription,
  runSubscription,
  type SubscriptionDependencies,
} from './leader-subscription.ts'
import { type OutboxDependencies, outbox } from './outbox.ts'
import { type RelayTopic, toRecord, withoutData } from './relayed-event.ts'

interface RelayDependencies extends SubscriptionDependencies, OutboxDependencies {}

const name = 'relay'
const batchSize = 250

/**
 * Copies events to topics for other systems, in the order of the log.
 *
 * A record that is too large for the broker is sent without its data, and that is logged: waiting for ever would block
 * all after it, and leaving it out would be a gap that nobody sees.
 */
export const runRelay = (
  topics: readonly RelayTopic[],
  checkpoint: string,
  deps: RelayDependencies,
): RunningSubscription => {
  const { telemetry, log } = deps
  const byCategory = new Map(
    topics.flatMap((topic) => topic.categories.map((category) => [category, topic] as const)),
  )

  const recordsOf = (event: RecordedEvent): readonly ProducerRecord[] => [
    toRecord(event, byCategory.get(categoryOf(event.stream))!),
  ]

  const instead = (record: ProducerRecord): ProducerRecord | undefined => {
    const { key: stream, topic, headers } = record
    if (headers.fonds_data_left_out) return undefined
    telemetry.count('failures', { processor: name, reason: 'too-large' })
    log.error(
      { stream, topic, position: headers.fonds_position },
      "an event is too large for its topic; publishing it without its data; raise the topic's limit",
    )
    return withoutData(record)
  }

  const filter = { categories: [...byCategory.keys()] }
  return runSubscription(outbox({ name, checkpoint, filter, batchSize, recordsOf, instead }, deps), deps)
}
