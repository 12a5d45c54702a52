import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Admin } from 'kafkajs'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Cluster } from './cluster.ts'
import type { Names } from './names.ts'
import { topicConfigs } from './topic-configs.ts'

export interface TopicFacts {
  /** Kafka's name for it. */
  readonly full: string
  readonly partitions: number
  /** Kafka's limit for one batch, in bytes; a batch holds one record or many. */
  readonly maxBytes: number
}

export interface TopicLookup {
  find(topic: string): TE.TaskEither<BrokerFailure, TopicFacts>
  /** The next `find` asks Kafka again. */
  forget(topic: string): void
}

const setting = 'max.message.bytes'
/** Kafka's own default, for topics whose settings we may not read. */
const defaultMaxBytes = 1_048_588
/** Partitions may be added: other Kafka clients query them as often. */
const freshMillis = 5 * 60_000

/** Facts of topics that a producer needs, cached. */
export const createTopicLookup = (cluster: Cluster, names: Names): TopicLookup => {
  const known = new Map<string, { readonly until: number; readonly facts: Promise<Found> }>()

  const fetch = (topic: string) => {
    const full = names.full(topic)
    const call = { what: `look up topic ${topic}`, grant: `DESCRIBE on topic ${full}`, topic }
    return pipe(
      cluster.call(call, async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [full] })
        return { full, partitions: topics[0]!.partitions.length, maxBytes: await maxBytesOf(admin, full) }
      }),
      TE.mapLeft((failure) => {
        known.delete(topic)
        return failure
      }),
    )
  }

  return {
    find: (topic) => () => {
      const before = known.get(topic)
      if (before && before.until > performance.now()) return before.facts
      const facts = fetch(topic)()
      known.set(topic, { until: performance.now() + freshMillis, facts })
      return facts
    },
    forget: (topic) => known.delete(topic),
  }
}

/** Returns facts by name of topic; a name may occur more than once. The first topic that cannot be found fails all. */
export const findTopics =
  (
    lookup: TopicLookup,
    topics: readonly string[],
  ): TE.TaskEither<BrokerFailure, ReadonlyMap<string, TopicFacts>> =>
  async () => {
    const all = new Map<string, TopicFacts>()
    for (const topic of new Set(topics)) {
      const found = await lookup.find(topic)()
      if (E.isLeft(found)) return found
      all.set(topic, found.right)
    }
    return E.right(all)
  }

type Found = E.Either<BrokerFailure, TopicFacts>

const maxBytesOf = async (admin: Admin, full: string): Promise<number> => {
  const configs = await topicConfigs(admin, [full], [setting]).catch(() => undefined)
  return Number(configs?.get(full)?.get(setting)?.value ?? defaultMaxBytes)
}
