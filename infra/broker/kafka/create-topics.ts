import kafkajs, { type Admin } from 'kafkajs'
import { errorMessage } from '../../../src/async/errors.ts'
import type { TopicSettings } from '../../../src/ports/broker.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { isNotAuthorized, typeOf } from './errors.ts'
import type { Names } from './names.ts'
import type { KafkaSettings } from './settings.ts'

export interface CreateDependencies {
  readonly names: Names
  readonly settings: Pick<KafkaSettings, 'replication' | 'brokers' | 'tls' | 'sasl'>
  readonly clock: Pick<Clock, 'sleep'>
}

/** Resolves to the errors of topics that Kafka did not make. That another process made one meanwhile is none. */
export const createTopics = async (
  admin: Admin,
  { names, settings, clock }: CreateDependencies,
  missing: readonly TopicSettings[],
): Promise<readonly unknown[]> => {
  try {
    await admin.createTopics({
      waitForLeaders: false,
      timeout: 10_000,
      topics: missing.map(({ name, partitions, retentionMillis }) => ({
        topic: names.full(name),
        numPartitions: partitions,
        replicationFactor: settings.replication,
        configEntries: configsOf(retentionMillis),
      })),
    })
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error
    const errors = error.errors.filter((one) => typeOf(one) !== 'TOPIC_ALREADY_EXISTS')
    if (errors.length > 0) return errors
  }
  const topics = missing.map(({ name }) => names.full(name))
  await untilUsable(admin, topics, clock)
  return []
}

const notYet: ReadonlySet<string | undefined> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
])
const maxAttempts = 100

/** Brokers learn of a new topic, and that they lead its partitions, a little later than the one that made it. */
const untilUsable = async (admin: Admin, topics: string[], clock: Pick<Clock, 'sleep'>): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      await admin.fetchTopicMetadata({ topics })
      await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)))
      return
    } catch (error) {
      if (attempt === maxAttempts || !notYet.has(typeOf(error))) throw error
      await clock.sleep(100)
    }
  }
}

export const creationFailure = (
  { names, settings }: CreateDependencies,
  missing: readonly TopicSettings[],
  errors: readonly unknown[],
): BrokerFailure => {
  const topics = missing.map(({ name }) => names.full(name)).join(', ')
  if (errors.some(isNotAuthorized)) {
    const commands = missing.map((topic) => commandFor(topic, names, settings)).join('\n')
    return {
      kind: 'Forbidden',
      reason: `Kafka does not let us create topics, and these are missing or hidden from our user: ${topics}. Grant it CREATE and DESCRIBE on them, or have them created:\n${commands}`,
    }
  }
  const reasons = [...new Set(errors.map(errorMessage))].join('; ')
  return {
    kind: errors.some(isPolicy) ? 'Forbidden' : 'Unavailable',
    reason: `Kafka did not create topics ${topics}: ${reasons}; check FONDS_REPLICATION and the cluster's policies`,
  }
}

const isPolicy = (error: unknown): boolean => typeOf(error) === 'POLICY_VIOLATION'

const commandFor = (
  { name, partitions, retentionMillis }: TopicSettings,
  names: Names,
  { replication, brokers, tls, sasl }: CreateDependencies['settings'],
): string => {
  const configs = configsOf(retentionMillis).map((config) => ` --config ${config.name}=${config.value}`)
  const copies = replication === -1 ? '' : ` --replication-factor ${replication}`
  const login = tls || sasl ? " --command-config <an administrator's>.properties" : ''
  return `kafka-topics.sh --bootstrap-server ${brokers[0]}${login} --create --topic ${names.full(name)} --partitions ${partitions}${copies}${configs.join('')}`
}

export const retentionValue = (millis: number | undefined): string => String(millis ?? -1)

/** A record's time is when Kafka appended it, whatever the producer's clock says. */
const configsOf = (retentionMillis: number | undefined) => [
  { name: 'retention.ms', value: retentionValue(retentionMillis) },
  { name: 'message.timestamp.type', value: 'LogAppendTime' },
]
