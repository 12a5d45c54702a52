import type { Consumer, Kafka, Cluster as KafkaCluster, PartitionAssigner } from 'kafkajs'
import type { Timing } from './timing.ts'

/** A kafkajs consumer, and the cluster that kafkajs hands to a consumer's assigners alone. */
export const createConsumer = (
  kafka: Kafka,
  groupId: string,
  assigner: PartitionAssigner,
  { sessionMillis, rebalanceMillis, heartbeatMillis }: Timing,
): { readonly consumer: Consumer; readonly cluster: KafkaCluster } => {
  let cluster: KafkaCluster
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionMillis,
    rebalanceTimeout: rebalanceMillis,
    heartbeatInterval: heartbeatMillis,
    maxWaitTimeInMs: 300,
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        cluster = config.cluster
        return assigner(config)
      },
    ],
    // Restarting is left to `joinGroup`: kafkajs does it for some failures only.
    retry: { restartOnFailure: () => Promise.resolve(false) },
  })
  return { consumer, cluster: cluster! }
}
