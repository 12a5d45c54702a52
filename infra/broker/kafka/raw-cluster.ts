import kafkajs, { type Cluster, type Kafka } from 'kafkajs'

/** kafkajs hands its cluster to partition assigners alone: the consumer made for that never joins a group. */
export const connectRaw = async (kafka: Kafka): Promise<Cluster> => {
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
