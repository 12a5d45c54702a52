import type { Broker, Kafka, Cluster as KafkaCluster } from 'kafkajs'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { type FetchedMessage, type FetchedPartition, hideAborted } from './aborted-records.ts'
import { withinBytes } from './codecs/codecs.ts'
import { openRawCluster } from './raw-cluster.ts'
import { createRecordReader } from './records.ts'

interface Peeker {
  /** Returns at most `limit` records from an offset on, none of aborted transactions. Rejects with kafkajs's errors. */
  peek(
    topic: string,
    full: string,
    partition: number,
    from: bigint,
    limit: number,
  ): Promise<readonly BrokerRecord[]>
  readonly lookAhead: LookAhead
  close(): Promise<void>
}

/** Returns the records ahead of a group at an offset. Rejects with kafkajs's errors. */
export type LookAhead = (full: string, partition: number, from: bigint) => Promise<Ahead>

export interface Ahead {
  /** Offset of the first record that can be handled; undefined if there is none. */
  readonly record: bigint | undefined
  /** Behind all records that can be read now: those of an open transaction cannot. */
  readonly end: bigint
}

interface Partition {
  readonly broker: Broker
  readonly topic: string
  readonly partition: number
  /** Behind the last record of a transaction that has ended. */
  readonly end: bigint
}

const maxFetchBytes = 1024 * 1024
/** Kafka returns a whole batch, however small the limit. */
const oneBatch = 1
const readCommitted = 1

/** Fetches without a consumer group, so that peeking leaves no trace. */
export const openRecordPeeker = (kafka: Kafka): Peeker => {
  const raw = openRawCluster(kafka)
  let before: Promise<unknown> = Promise.resolve()

  /** Runs calls one after the other: in parallel, each would open the connection that kafkajs has for fetches. */
  const inTurn = <A>(work: (cluster: KafkaCluster) => Promise<A>): Promise<A> => {
    const turn = before.then(async () => {
      try {
        return await work(await raw.connected())
      } catch (error) {
        // After any error the next call gets a connection and metadata of its own.
        await raw.close()
        throw error
      }
    })
    before = turn.catch(() => {})
    return turn
  }

  return {
    peek: (topic, full, partition, from, limit) =>
      inTurn(async (cluster) => {
        await cluster.addTargetTopic(full)
        await cluster.refreshMetadata()
        const found = await findPartition(cluster, full, partition)
        if (!found) return []
        const start = await offsetOf(cluster, full, partition, true)
        const toRecord = createRecordReader(topic, partition)
        const records: BrokerRecord[] = []
        for await (const message of messagesFrom(found, from < start ? start : from)) {
          if (records.length >= limit) break
          records.push(toRecord(message))
        }
        return records
      }),

    lookAhead: (full, partition, from) =>
      inTurn(async (cluster) => {
        await cluster.addTargetTopic(full)
        await cluster.refreshMetadataIfNecessary()
        const found = await findPartition(cluster, full, partition)
        const end = found?.end ?? from
        if (found)
          for await (const { offset } of messagesFrom(found, from, oneBatch))
            return { record: BigInt(offset), end }
        return { record: undefined, end }
      }),

    close: raw.close,
  }
}

/** Returns records that a group would be given, up to the end. */
async function* messagesFrom(
  place: Partition,
  from: bigint,
  firstBytes = maxFetchBytes,
): AsyncGenerator<FetchedMessage> {
  let next = from
  while (next < place.end) {
    const messages = await fetchMessages(place, next, next === from ? firstBytes : maxFetchBytes)
    if (messages.length === 0) return
    for (const message of messages)
      if (BigInt(message.offset) >= next && !message.isControlRecord) yield message
    next = BigInt(messages.at(-1)!.offset) + 1n
  }
}

/** Fetches records. An unreadable batch does not prevent reading those before it. */
const fetchMessages = async (
  place: Partition,
  from: bigint,
  maxBytes: number,
): Promise<readonly FetchedMessage[]> => {
  try {
    return await fetch(place, from, maxBytes)
  } catch (error) {
    const first = await fetch(place, from, oneBatch).catch(() => [])
    if (first.length === 0) throw error
    return first
  }
}

const fetch = async (
  { broker, topic, partition }: Partition,
  from: bigint,
  maxBytes: number,
): Promise<readonly FetchedMessage[]> => {
  const { responses } = await withinBytes(() =>
    broker.fetch({
      maxWaitTime: 100,
      minBytes: 1,
      maxBytes: maxFetchBytes,
      isolationLevel: readCommitted,
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes }] }],
    }),
  )
  const fetched: FetchedPartition | undefined = responses[0]?.partitions[0]
  if (!fetched) return []
  hideAborted(fetched)
  return fetched.messages
}

/** Returns undefined if there is no such partition. */
const findPartition = async (
  cluster: KafkaCluster,
  topic: string,
  partition: number,
): Promise<Partition | undefined> => {
  const found = cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === partition)
  if (!found) return undefined
  const broker = await cluster.findBroker({ nodeId: String(found.leader) })
  return { broker, topic, partition, end: await offsetOf(cluster, topic, partition, false) }
}

const offsetOf = async (
  cluster: KafkaCluster,
  topic: string,
  partition: number,
  fromBeginning: boolean,
): Promise<bigint> => {
  const [found] = await cluster.fetchTopicsOffset([{ topic, partitions: [{ partition }], fromBeginning }])
  return BigInt(found!.partitions[0]!.offset)
}
