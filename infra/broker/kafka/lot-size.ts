import type { Outgoing } from './deliver.ts'

/** kafkajs takes time that grows with the square of the messages of a request. */
export const mostRecords = 1000
const mostBytes = 16 * 1024 * 1024

/** How many of those waiting may go in one request: Kafka limits what one partition is sent in one piece. */
export const lotSize = (waiting: readonly Outgoing[]): number => {
  const pieces = new Map<string, Map<number, number>>()
  let total = 0
  let count = 0
  for (const { topic, facts, message, bytes } of waiting) {
    const piece = pieces.get(topic) ?? new Map<number, number>()
    pieces.set(topic, piece)
    const size = (piece.get(message.partition) ?? 0) + bytes
    total += bytes
    if (count > 0 && (size > facts.maxBytes || total > mostBytes || count === mostRecords)) return count
    piece.set(message.partition, size)
    count++
  }
  return count
}
