import kafkajs, { type Cluster, type Kafka } from 'kafkajs'

/** kafkajs's own calls to brokers, beneath its producers and consumers. */
interface RawCluster {
  /** Connects where it is not connected. */
  connected(): Promise<Cluster>
  /** The next `connected` connects anew. */
  close(): Promise<void>
}

export const openRawCluster = (kafka: Kafka): RawCluster => {
  let connecting: Promise<Cluster> | undefined
  return {
    connected: () => {
      connecting ??= connect(kafka).catch((error: unknown) => {
        connecting = undefined
        throw error
      })
      return connecting
    },
    close: async () => {
      const old = connecting
      connecting = undefined
      await old?.then((cluster) => cluster.disconnect()).catch(() => {})
    },
  }
}

/** kafkajs hands its cluster to partition assigners alone: the consumer made for that never joins a group. */
const connect = async (kafka: Kafka): Promise<Cluster> => {
  const { promise, resolve } = Promise.withResolvers<Cluster>()
  kafka.consumer({
    groupId: 'never-joined',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        resolve(config.cluster)
        return kafkajs.PartitionAssigners.roundRobin(config)
      },
    ],
  })
  const cluster = await promise
  await cluster.connect()
  return cluster
}
