import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import kafkajs, { type Admin } from 'kafkajs'
import type { BrokerFailure, TopicSettings } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { checkSettings } from '../check-settings.ts'
import type { Cluster } from './cluster.ts'
import { messageOf, typeOf } from './errors.ts'
import type { Names } from './names.ts'
import type { KafkaSettings, Log } from './settings.ts'
import { setTopicConfig, topicConfigs } from './topic-configs.ts'

export interface EnsureDependencies {
  readonly cluster: Cluster
  readonly names: Names
  readonly settings: Pick<KafkaSettings, 'replication' | 'brokers' | 'tls' | 'sasl'>
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
}

const notYet: ReadonlySet<string | undefined> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
])
const mostAttempts = 100

type Ensured = Either<BrokerFailure, void>

/** Makes what is missing and waits until it can be used; sets the retention of what is there. */
export const ensureTopics = async (
  { cluster, names, settings, clock, log }: EnsureDependencies,
  topics: readonly TopicSettings[],
): Promise<Ensured> => {
  topics.forEach(checkSettings)
  const existing = await cluster.call(
    { what: 'list topics', grant: 'DESCRIBE on its topics' },
    async (admin) => new Set(await admin.listTopics()),
  )
  if (isLeft(existing)) return existing
  const isThere = ({ name }: TopicSettings): boolean => existing.right.has(names.full(name))
  const missing = topics.filter((topic) => !isThere(topic))
  const named = missing.map(({ name }) => names.full(name)).join(', ')
  const call = {
    what: `make topics ${named}`,
    grant: 'CREATE on them',
  }
  if (missing.length > 0) {
    const made = await cluster.call(call, (admin) => create(admin, missing))
    const done = isLeft(made) ? made : refusalOf(made.right, missing)
    if (isLeft(done)) return done
  }
  return cluster.call({ what: 'set retention of topics', grant: 'ALTER_CONFIGS on its topics' }, (admin) =>
    keepRetention(admin, topics.filter(isThere)),
  )

  /** What Kafka refused, topic by topic; topics that somebody else made meanwhile are as good. */
  async function create(admin: Admin, missing: readonly TopicSettings[]): Promise<readonly unknown[]> {
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
      const refused = error.errors.filter((one) => typeOf(one) !== 'TOPIC_ALREADY_EXISTS')
      if (refused.length > 0) return refused
    }
    await untilUsable(admin, missing)
    return []
  }

  /** Brokers hear of a new topic, and that they lead its partitions, a little later than the one that made it. */
  async function untilUsable(admin: Admin, made: readonly TopicSettings[]): Promise<void> {
    const topics = made.map(({ name }) => names.full(name))
    for (let attempt = 0; ; attempt++) {
      try {
        await admin.fetchTopicMetadata({ topics })
        await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)))
        return
      } catch (error) {
        if (attempt === mostAttempts || !notYet.has(typeOf(error))) throw error
        await clock.sleep(100)
      }
    }
  }

  function refusalOf(refused: readonly unknown[], missing: readonly TopicSettings[]): Ensured {
    if (refused.length === 0) return right(undefined)
    const isForbidden = refused.some((one) => typeOf(one)?.endsWith('AUTHORIZATION_FAILED'))
    const says = [...new Set(refused.map(messageOf))].join('; ')
    const reason = isForbidden
      ? `Kafka does not let us make topics, and these are missing or hidden from our user: ${named}. Grant it CREATE and DESCRIBE on them, or have them made:\n${missing.map(commandFor).join('\n')}`
      : `Kafka did not ${call.what}: ${says}; check FONDS_REPLICATION and the cluster's policies`
    return left({ kind: isForbidden || refused.some(isPolicy) ? 'Forbidden' : 'Unavailable', reason })
  }

  function commandFor({ name, partitions, retentionMillis }: TopicSettings): string {
    const configs = configsOf(retentionMillis).map((config) => ` --config ${config.name}=${config.value}`)
    const { replication, brokers, tls, sasl } = settings
    const copies = replication === -1 ? '' : ` --replication-factor ${replication}`
    const login = tls || sasl ? " --command-config <an administrator's>.properties" : ''
    return `kafka-topics.sh --bootstrap-server ${brokers[0]}${login} --create --topic ${names.full(name)} --partitions ${partitions}${copies}${configs.join('')}`
  }

  /** A topic that keeps its records for another time still works, so where this is forbidden it is only said. */
  async function keepRetention(admin: Admin, present: readonly TopicSettings[]): Promise<void> {
    try {
      const configs = await topicConfigs(
        admin,
        present.map(({ name }) => names.full(name)),
      )
      for (const { name, retentionMillis } of present) {
        const wanted = retentionValue(retentionMillis)
        const full = names.full(name)
        if (configs.get(full)?.get('retention.ms')?.value !== wanted)
          await setTopicConfig(admin, full, 'retention.ms', wanted, configs)
      }
    } catch (error) {
      if (!typeOf(error)?.endsWith('AUTHORIZATION_FAILED')) throw error
      log.warn(
        'Kafka does not let us set how long topics keep their records: grant DESCRIBE_CONFIGS and ALTER_CONFIGS',
      )
    }
  }
}

const isPolicy = (error: unknown): boolean => typeOf(error) === 'POLICY_VIOLATION'

const retentionValue = (millis: number | undefined): string => String(millis ?? -1)

/** A record's time is when Kafka took it, whatever the producer's clock says. */
const configsOf = (retentionMillis: number | undefined) => [
  { name: 'retention.ms', value: retentionValue(retentionMillis) },
  { name: 'message.timestamp.type', value: 'LogAppendTime' },
]
