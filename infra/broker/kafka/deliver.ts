import type { Message, RecordMetadata, TopicMessages } from 'kafkajs'
import type { RecordPlace } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import { typeOf } from './errors.ts'
import { failureOf } from './failure.ts'
import type { Outage } from './log.ts'
import type { Sender } from './sender.ts'
import type { TopicFacts, TopicLookup } from './topic-facts.ts'

/** A record on its way, and the call that waits for it. */
export interface Outgoing {
  readonly call: {
    readonly failed: () => boolean
    readonly written: (index: number, place: RecordPlace) => void
    readonly fail: (failure: BrokerFailure) => void
  }
  /** Its index in the call. */
  readonly index: number
  readonly topic: string
  readonly facts: TopicFacts
  readonly bytes: number
  readonly message: Message & { readonly partition: number }
}

interface DeliverDependencies {
  readonly sender: Sender
  readonly topics: Pick<TopicLookup, 'forget'>
  readonly outage: Outage
  /** Removes and returns the records that wait behind this batch. */
  readonly waiting: () => readonly Outgoing[]
}

/**
 * Sends a batch in one request. Where Kafka rejects it, the batch is split until the failing topic or record is alone, so
 * that the other records are written; those that were written before are then written again. Where Kafka is away, all
 * records that wait fail too: they must not overtake those that their callers will repeat.
 */
export const deliverBatch = async (batch: readonly Outgoing[], deps: DeliverDependencies): Promise<void> => {
  const items = batch.filter(({ call }) => !call.failed())
  if (items.length === 0) return
  try {
    reportOffsets(items, await deps.sender.send(byTopic(items)))
    deps.outage.back()
  } catch (error) {
    void deps.sender.renew()
    await handleFailure(items, error, deps)
  }
}

const handleFailure = async (
  items: readonly Outgoing[],
  error: unknown,
  deps: DeliverDependencies,
): Promise<void> => {
  const { topic, facts, bytes } = items[0]!
  const tooLarge = typeOf(error) === 'MESSAGE_TOO_LARGE' || typeOf(error) === 'RECORD_LIST_TOO_LARGE'
  const failure: BrokerFailure =
    tooLarge && items.length === 1
      ? { kind: 'TooLarge', bytes, limit: Math.min(facts.maxBytes, bytes - 1) }
      : failureOf(error, { what: `write to topic ${topic}`, grant: `WRITE on topic ${facts.full}`, topic })
  if (failure.kind === 'Unavailable' && !tooLarge) {
    deps.outage.away(failure.reason)
    for (const { call } of [...items, ...deps.waiting()]) call.fail(failure)
    return
  }
  const parts = [...Map.groupBy(items, (item) => item.topic).values()]
  if (parts.length === 1 && tooLarge && items.length > 1) {
    const middle = items.length >> 1
    parts.splice(0, 1, items.slice(0, middle), items.slice(middle))
  }
  if (parts.length > 1) {
    for (const part of parts) await deliverBatch(part, deps)
    return
  }
  deps.topics.forget(topic)
  for (const { call } of items) call.fail(failure)
}

const byTopic = (items: readonly Outgoing[]): TopicMessages[] =>
  Array.from(
    Map.groupBy(items, ({ facts }) => facts.full),
    ([topic, some]) => ({ topic, messages: some.map(({ message }) => message) }),
  )

/** Kafka returns the first offset written to each partition; the others follow in the order of sending. */
const reportOffsets = (items: readonly Outgoing[], written: readonly RecordMetadata[]): void => {
  const next = new Map<string, Map<number, bigint>>()
  for (const { topicName, partition, baseOffset } of written) {
    const offsets = next.get(topicName) ?? new Map<number, bigint>()
    next.set(topicName, offsets.set(partition, BigInt(baseOffset ?? -1)))
  }
  // kafkajs silently drops messages for partitions that it does not know yet.
  if (items.some(({ facts, message }) => !next.get(facts.full)?.has(message.partition)))
    throw new Error('some partitions are too new for this connection')
  for (const { call, index, topic, facts, message } of items) {
    const offsets = next.get(facts.full)!
    const offset = offsets.get(message.partition)!
    offsets.set(message.partition, offset + 1n)
    call.written(index, { topic, partition: message.partition, offset })
  }
}
