import kafkajs, { type Kafka, type RetryOptions, type SASLOptions } from 'kafkajs'
import { installCodecs } from './codecs/codecs.ts'
import { kafkajsLog } from './log.ts'
import type { KafkaSettings, Log } from './settings.ts'
import type { Sockets } from './sockets.ts'

/** Tries for a few seconds; then the caller decides whether to try again. */
const retry: RetryOptions = {
  initialRetryTime: 200,
  maxRetryTime: 2000,
  factor: 0.2,
  multiplier: 2,
  retries: 4,
}

/**
 * A client makes no connection by itself. It keeps the committed offsets of its groups for all its consumers, so two
 * members of one group need a client each.
 */
export const createKafkaClient = (settings: KafkaSettings, log: Log, sockets: Sockets): Kafka => {
  installCodecs()
  const { brokers, clientId, tls, sasl } = settings
  return new kafkajs.Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 5000,
    authenticationTimeout: 10_000,
    requestTimeout: 30_000,
    retry,
    socketFactory: sockets.open,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: kafkajsLog(log),
    ...(tls && { ssl: { ...tls } }),
    ...(sasl && { sasl: { ...sasl } as SASLOptions }),
  })
}
