import type { CompressionTypes, Kafka, Producer, RecordMetadata, TopicMessages } from 'kafkajs'
import { within } from './within.ts'

export interface Sender {
  /** Resolves when all of it is durable; rejects when some of it may not be. */
  send(topicMessages: TopicMessages[]): Promise<readonly RecordMetadata[]>
  /** Disconnects; the next `send` connects anew. */
  renew(): Promise<void>
}

/**
 * One idempotent producer at a time. After any failure it must be renewed: the records may have been written or not, and
 * kafkajs would give their sequence numbers to the next ones, which Kafka could then drop as repeats.
 */
export const createIdempotentSender = (
  kafka: Kafka,
  compression: CompressionTypes,
  callMillis: number,
): Sender => {
  let current: Promise<Producer> | undefined

  const open = async (): Promise<Producer> => {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      // Every message has its partition by then.
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    })
    try {
      await producer.connect()
      return producer
    } catch (error) {
      // kafkajs connects before it asks for the producer's id.
      await producer.disconnect().catch(() => {})
      throw error
    }
  }

  return {
    send: (topicMessages) => {
      current ??= open()
      const sent = current.then((producer) => producer.sendBatch({ topicMessages, compression, acks: -1 }))
      return within(callMillis, sent)
    },
    renew: async () => {
      const old = current
      current = undefined
      await old?.then((producer) => producer.disconnect()).catch(() => {})
    },
  }
}
