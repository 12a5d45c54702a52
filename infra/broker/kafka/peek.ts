import type { Kafka, Cluster as KafkaCluster, KafkaMessage } from 'kafkajs'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { connectRaw } from './raw-cluster.ts'
import { recordReader } from './records.ts'

export interface Peeker {
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

const pieceBytes = 1024 * 1024
const readCommitted = 1

/** Fetches without a group, so that nothing of a look is left behind. */
export const recordPeeker = (kafka: Kafka): Peeker => {
  let connecting: Promise<KafkaCluster> | undefined

  const connected = async (): Promise<KafkaCluster> => {
    connecting ??= connectRaw(kafka).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }
  const close = async (): Promise<void> => {
    const old = connecting
    connecting = undefined
    await old?.then((cluster) => cluster.disconnect()).catch(() => {})
  }

  const look: Peeker['peek'] = async (topic, full, partition, from, limit) => {
    const cluster = await connected()
    await cluster.addTargetTopic(full)
    await cluster.refreshMetadata()
    const leader = cluster
      .findTopicPartitionMetadata(full)
      .find((one) => one.partitionId === partition)?.leader
    if (leader === undefined) return []
    const broker = await cluster.findBroker({ nodeId: String(leader) })
    const end = await offsetOf(cluster, full, partition, false)
    const start = await offsetOf(cluster, full, partition, true)
    const toRecord = recordReader(topic, partition)
    const records: BrokerRecord[] = []
    let next = from
    if (next < start) next = start
    while (next < end && records.length < limit) {
      const { responses } = await broker.fetch({
        maxWaitTime: 100,
        minBytes: 1,
        maxBytes: pieceBytes,
        isolationLevel: readCommitted,
        topics: [
          { topic: full, partitions: [{ partition, fetchOffset: String(next), maxBytes: pieceBytes }] },
        ],
      })
      const messages: readonly FetchedMessage[] = responses[0]?.partitions[0]?.messages ?? []
      if (messages.length === 0) break
      for (const message of messages)
        if (BigInt(message.offset) >= next && !message.isControlRecord && records.length < limit)
          records.push(toRecord(message))
      next = BigInt(messages.at(-1)!.offset) + 1n
    }
    return records
  }

  return {
    peek: async (...place) => {
      try {
        return await look(...place)
      } catch (error) {
        // Whatever it was, the next look has a connection and a map of the cluster of its own.
        await close()
        throw error
      }
    },
    close,
  }
}

type FetchedMessage = KafkaMessage & { readonly isControlRecord?: boolean }

const offsetOf = async (
  cluster: KafkaCluster,
  topic: string,
  partition: number,
  fromBeginning: boolean,
): Promise<bigint> => {
  const [found] = await cluster.fetchTopicsOffset([{ topic, partitions: [{ partition }], fromBeginning }])
  return BigInt(found!.partitions[0]!.offset)
}
