import { isLeft } from 'fp-ts/lib/Either.js'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { Away } from '../../ports/away.ts'
import type { Broker, BrokerFailure, ProducerRecord } from '../../ports/broker.ts'
import { type FollowDependencies, type Following, follow } from './follow.ts'
import { type RelayTopic, toRecord, withoutData } from './relayed-event.ts'

export interface RelayDependencies extends FollowDependencies {
  readonly broker: Pick<Broker, 'produce'>
}

const name = 'relay'
const batchSize = 250

/**
 * Copies events to topics for other systems, in the order of the log. One batch is acknowledged before the next is sent,
 * and the checkpoint moves behind that: nothing is missing, and after a crash the last batch may come again.
 *
 * A record that the broker finds too large goes without its data, and the log says so: standing still for ever would
 * keep back everything behind it, and leaving it out would be a hole that nobody sees.
 */
export const runRelay = (
  topics: readonly RelayTopic[],
  checkpoint: string,
  deps: RelayDependencies,
): Following => {
  const { broker, telemetry, log } = deps
  const byCategory = new Map(
    topics.flatMap((topic) => topic.categories.map((category) => [category, topic] as const)),
  )

  const recordOf = (event: RecordedEvent): ProducerRecord =>
    toRecord(event, byCategory.get(categoryOf(event.stream))!)

  /** False when it is to stop. Halves are sent where a whole batch is too large for the broker. */
  async function put(records: readonly ProducerRecord[], goesOn: () => boolean): Promise<boolean> {
    if (records.length === 0) return true
    if (!goesOn()) return false
    const placed = await broker.produce(records)()
    if (!isLeft(placed)) {
      telemetry.count('messages', { processor: name, outcome: 'done' }, records.length)
      return true
    }
    if (placed.left.kind !== 'TooLarge') throw new Away(sentenceOf(placed.left))
    const [only] = records
    if (records.length === 1) return putWithoutData(only!, goesOn)
    const half = records.length >> 1
    return (await put(records.slice(0, half), goesOn)) && put(records.slice(half), goesOn)
  }

  async function putWithoutData(record: ProducerRecord, goesOn: () => boolean): Promise<boolean> {
    if (record.headers.fonds_data_left_out)
      throw new Away(`${record.topic} does not even take an empty event`)
    const { key: stream, topic, headers } = record
    telemetry.count('failures', { processor: name, reason: 'too-large' })
    log.error(
      { stream, topic, position: headers.fonds_position },
      'an event is too large for its topic and goes without its data; let the topic take larger records',
    )
    return put([withoutData(record)], goesOn)
  }

  return follow(
    {
      name,
      checkpoint,
      filter: { categories: [...byCategory.keys()] },
      batchSize,
      handle: ({ events }, goesOn) => put(events.map(recordOf), goesOn),
    },
    deps,
  )
}

const sentenceOf = (failure: Exclude<BrokerFailure, { kind: 'TooLarge' }>): string =>
  failure.kind === 'UnknownTopic'
    ? `the topic ${failure.topic} is missing: starting the role relay anew makes it`
    : failure.reason
