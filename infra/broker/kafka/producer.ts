import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ProducerRecord, RecordPlace } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { partitionOf } from '../partitioner.ts'
import { type Batcher, createBatcher } from './batcher.ts'
import { deliverBatch, type Outgoing } from './deliver.ts'
import type { Outage } from './log.ts'
import { bytesOf, copyOf, keyAndHeaders } from './records.ts'
import type { Sender } from './sender.ts'
import { findTopics, type TopicFacts, type TopicLookup } from './topic-facts.ts'

type Produced = E.Either<BrokerFailure, readonly RecordPlace[]>

interface KafkaProducer {
  produce(records: readonly ProducerRecord[]): TaskEither<BrokerFailure, readonly RecordPlace[]>
  /** Sends what waits, then disconnects. */
  close(): Promise<void>
}

interface ProducerDependencies {
  readonly sender: Sender
  readonly topics: TopicLookup
  readonly lingerMillis: number
  readonly clock: Pick<Clock, 'sleep'>
  readonly outage: Outage
}

/** So many records are sent without waiting for more: a larger request gains little. */
const worthSending = 200

/**
 * Sends records of many calls together, and resolves each call with the offsets of its own. An unknown topic or a record that
 * is too large fails the call before anything is sent. A call that fails later may have written some of its records: to
 * repeat it is safe where readers recognize a message that comes twice.
 */
export const openKafkaProducer = (deps: ProducerDependencies): KafkaProducer => {
  const { sender, topics, lingerMillis, clock, outage } = deps
  const batcher: Batcher<Outgoing> = createBatcher({
    lingerMillis,
    enough: worthSending,
    batchSize: nextBatchSize,
    send: (batch) => deliverBatch(batch, { sender, topics, outage, waiting: () => batcher.clear() }),
    clock,
  })
  const prepare = createPreparer(batcher)
  let closed = false
  // Topics are looked up side by side, and calls are prepared one after the other, so that none overtakes another.
  let ready: Promise<unknown> = Promise.resolve()

  return {
    produce: (records) => async () => {
      if (closed)
        return E.left({ kind: 'Unavailable', reason: 'the broker is closed: open it again to produce' })
      if (records.length === 0) return E.right([])
      const values = records.map(({ value }) => copyOf(value))
      const found = findTopics(
        topics,
        records.map(({ topic }) => topic),
      )()
      const preparing = ready.then(() => found).then(E.chain((facts) => prepare(records, values, facts)))
      ready = preparing.catch(() => {})
      const prepared = await preparing
      return E.isLeft(prepared) ? prepared : prepared.right.done
    },
    close: async () => {
      closed = true
      await ready
      await batcher.flush()
      await sender.renew()
    },
  }
}

/** Makes calls, and hands their records to the batcher. What is too large fails before anything is sent. */
const createPreparer = (batcher: Batcher<Outgoing>) => {
  let roundRobin = Math.floor(Math.random() * 1024)

  const choosePartition = (record: ProducerRecord, { partitions }: TopicFacts): number => {
    const { key } = record.raw ?? record
    return key === null ? roundRobin++ % partitions : partitionOf(key, partitions)
  }

  return (
    records: readonly ProducerRecord[],
    values: readonly (string | Buffer)[],
    topicFacts: ReadonlyMap<string, TopicFacts>,
  ): E.Either<BrokerFailure, ProduceCall> => {
    const call = createCall(records.length)
    const outgoing: Outgoing[] = []
    for (const [index, record] of records.entries()) {
      const { topic } = record
      const facts = topicFacts.get(topic)!
      const bytes = bytesOf(record)
      if (bytes > facts.maxBytes) return E.left({ kind: 'TooLarge', bytes, limit: facts.maxBytes })
      const partition = choosePartition(record, facts)
      const message = { ...keyAndHeaders(record), value: values[index]!, partition }
      outgoing.push({ call, index, topic, facts, bytes, message })
    }
    batcher.add(outgoing)
    return E.right(call)
  }
}

type ProduceCall = Outgoing['call'] & { readonly done: Promise<Produced> }

/** Keeps the offsets of one call's records until it has all of them, or failed. */
const createCall = (count: number): ProduceCall => {
  const { promise, resolve } = Promise.withResolvers<Produced>()
  const places = new Array<RecordPlace>(count)
  let missing = count
  let failed = false
  return {
    done: promise,
    failed: () => failed,
    written: (index, place) => {
      places[index] = place
      if (--missing === 0) resolve(E.right(places))
    },
    fail: (failure) => {
      failed = true
      resolve(E.left(failure))
    },
  }
}

/** The time of kafkajs for a request grows with the square of its messages. */
export const maxRecords = 1000
const maxBytes = 16 * 1024 * 1024

/** How many of those waiting may go in one request: Kafka limits the bytes of one partition. */
export const nextBatchSize = (waiting: readonly Outgoing[]): number => {
  const sizes = new Map<string, Map<number, number>>()
  let total = 0
  let count = 0
  for (const { topic, facts, message, bytes } of waiting) {
    const ofTopic = sizes.get(topic) ?? new Map<number, number>()
    sizes.set(topic, ofTopic)
    const size = (ofTopic.get(message.partition) ?? 0) + bytes
    total += bytes
    if (count > 0 && (size > facts.maxBytes || total > maxBytes || count === maxRecords)) return count
    ofTopic.set(message.partition, size)
    count++
  }
  return count
}
