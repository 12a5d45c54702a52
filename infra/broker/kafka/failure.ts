import { errorMessage } from '../../../src/async/errors.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import { connectionAdvice } from './connection-advice.ts'
import { causes, isNotAuthorized, isOfOnePartition, typeOf } from './errors.ts'

/** The attempted call, for the sentence of a failure. */
export interface Call {
  /** Follows "to": `write to topic x`. */
  readonly what: string
  /** The permission that Kafka must grant for it: `WRITE on topic x`. */
  readonly grant: string
  /** Set if it is about one topic: its name without the prefix. */
  readonly topic?: string
  /** It reads records that others wrote. */
  readonly reads?: true
}

const passIt =
  'its producer has to send it again in another form; to continue after it, stop the processes of the group and move its offset: `kafka-consumer-groups.sh --reset-offsets`'

export const failureOf = (error: unknown, { what, grant, topic, reads }: Call): BrokerFailure => {
  const all = causes(error)
  const type = typeOf(error)
  // TLS errors end in a line feed, and some of Kafka's in a full stop.
  const message = errorMessage(error).trim().replace(/\.$/, '')
  if (topic !== undefined && (type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'INVALID_TOPIC_EXCEPTION'))
    return { kind: 'UnknownTopic', topic }
  if (isNotAuthorized(error))
    return { kind: 'Forbidden', reason: `Kafka does not let us ${what}: grant our user ${grant}` }
  if (
    type === 'SASL_AUTHENTICATION_FAILED' ||
    all.some(({ name }) => name === 'KafkaJSSASLAuthenticationError')
  )
    return {
      kind: 'Forbidden',
      reason: `Kafka refused our log-in (${message}): check FONDS_KAFKA_SASL, FONDS_KAFKA_USERNAME and FONDS_KAFKA_PASSWORD`,
    }
  if (reads && isOfOnePartition(error))
    return {
      kind: 'Unavailable',
      reason:
        type === undefined
          ? `could not ${what}: a batch there cannot be read (${message}); ${passIt}`
          : `could not ${what}: Kafka says ${message}; its own log says more`,
    }
  // kafkajs does not give the reason why it found no coordinator.
  const advice = all.some(({ name }) => name === 'KafkaJSGroupCoordinatorNotFound')
    ? `check that Kafka runs, and that our user has ${grant}`
    : connectionAdvice(error)
  return {
    kind: 'Unavailable',
    reason: `could not ${what}: ${message}; ${advice}`,
  }
}
