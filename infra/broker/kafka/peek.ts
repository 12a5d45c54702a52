import type { Broker, Kafka, Cluster as KafkaCluster, KafkaMessage } from 'kafkajs'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { openRawCluster } from './raw-cluster.ts'
import { createRecordReader } from './records.ts'

interface Peeker {
  /** At most `limit` records from an offset on; rejects with kafkajs's errors. */
  peek(
    topic: string,
    full: string,
    partition: number,
    from: bigint,
    limit: number,
  ): Promise<readonly BrokerRecord[]>
  close(): Promise<void>
}

const maxFetchBytes = 1024 * 1024
const readCommitted = 1

/** Fetches without a consumer group, so that peeking leaves nothing behind. */
export const openRecordPeeker = (kafka: Kafka): Peeker => {
  const raw = openRawCluster(kafka)

  const peek: Peeker['peek'] = async (topic, full, partition, from, limit) => {
    const cluster = await raw.connected()
    const broker = await leaderOf(cluster, full, partition)
    if (!broker) return []
    const end = await offsetOf(cluster, full, partition, false)
    const start = await offsetOf(cluster, full, partition, true)
    const toRecord = createRecordReader(topic, partition)
    const records: BrokerRecord[] = []
    let next = from < start ? start : from
    while (next < end && records.length < limit) {
      const messages = await fetchMessages(broker, full, partition, next)
      if (messages.length === 0) break
      for (const message of messages)
        if (BigInt(message.offset) >= next && !message.isControlRecord && records.length < limit)
          records.push(toRecord(message))
      next = BigInt(messages.at(-1)!.offset) + 1n
    }
    return records
  }

  return {
    peek: async (...from) => {
      try {
        return await peek(...from)
      } catch (error) {
        // Whatever it was, the next call gets a connection and metadata of its own.
        await raw.close()
        throw error
      }
    },
    close: raw.close,
  }
}

type FetchedMessage = KafkaMessage & { readonly isControlRecord?: boolean }

const fetchMessages = async (
  broker: Broker,
  topic: string,
  partition: number,
  from: bigint,
): Promise<readonly FetchedMessage[]> => {
  const { responses } = await broker.fetch({
    maxWaitTime: 100,
    minBytes: 1,
    maxBytes: maxFetchBytes,
    isolationLevel: readCommitted,
    topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: maxFetchBytes }] }],
  })
  return responses[0]?.partitions[0]?.messages ?? []
}

/** Undefined where there is no such partition. */
const leaderOf = async (
  cluster: KafkaCluster,
  topic: string,
  partition: number,
): Promise<Broker | undefined> => {
  await cluster.addTargetTopic(topic)
  await cluster.refreshMetadata()
  const found = cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === partition)
  return found && cluster.findBroker({ nodeId: String(found.leader) })
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
