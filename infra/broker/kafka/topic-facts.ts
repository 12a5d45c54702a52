import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { Admin } from 'kafkajs'
import type { BrokerFailure } from '../../../src/ports/broker.ts'
import type { Cluster } from './cluster.ts'
import type { Names } from './names.ts'
import { topicConfigs } from './topic-configs.ts'

export interface TopicFacts {
  /** Kafka's name for it. */
  readonly full: string
  readonly partitions: number
  /** Most bytes that Kafka takes in one piece, which holds one record or many. */
  readonly maxBytes: number
}

export interface TopicLookup {
  find(topic: string): Promise<Either<BrokerFailure, TopicFacts>>
  /** Looks it up anew the next time. */
  forget(topic: string): void
}

const setting = 'max.message.bytes'
/** Kafka's own default, for where we may not ask. */
const defaultMaxBytes = 1_048_588
/** Partitions may be added: so often it is looked whether they were, as other clients of Kafka do. */
const freshMillis = 5 * 60_000

/** What a producer must know of a topic, asked for once. */
export const topicLookup = (cluster: Cluster, names: Names): TopicLookup => {
  const known = new Map<
    string,
    { readonly until: number; readonly facts: Promise<Either<BrokerFailure, TopicFacts>> }
  >()

  const look = async (topic: string): Promise<Either<BrokerFailure, TopicFacts>> => {
    const full = names.full(topic)
    const call = { what: `look up topic ${topic}`, grant: `DESCRIBE on topic ${full}`, topic }
    const found = await cluster.call(call, async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [full] })
      return { full, partitions: topics[0]!.partitions.length, maxBytes: await maxBytesOf(admin, full) }
    })
    if (isLeft(found)) known.delete(topic)
    return found
  }

  return {
    find: (topic) => {
      const before = known.get(topic)
      if (before && before.until > performance.now()) return before.facts
      const facts = look(topic)
      known.set(topic, { until: performance.now() + freshMillis, facts })
      return facts
    },
    forget: (topic) => known.delete(topic),
  }
}

const maxBytesOf = async (admin: Admin, full: string): Promise<number> => {
  const configs = await topicConfigs(admin, [full], [setting]).catch(() => undefined)
  return Number(configs?.get(full)?.get(setting)?.value ?? defaultMaxBytes)
}
