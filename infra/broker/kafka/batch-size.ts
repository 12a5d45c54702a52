import type { Outgoing } from './deliver.ts'

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
