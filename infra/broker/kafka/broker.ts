import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../../../src/async/system-clock.ts'
import { orThrow, UnavailableError } from '../../../src/async/unavailable.ts'
import type { Broker, Consumption } from '../../../src/ports/broker.ts'
import { checkBatchSize } from '../check-settings.ts'
import { createGroupBinder } from './binder.ts'
import { createKafkaClient } from './client.ts'
import { openCluster } from './cluster.ts'
import { compressionType } from './compression.ts'
import { joinGroup } from './consumer.ts'
import { ensureTopics } from './ensure-topics.ts'
import { openGroupOffsets } from './group-offsets.ts'
import { listGroups } from './groups.ts'
import { listTopics } from './list-topics.ts'
import { createOutageLog, silent } from './log.ts'
import { createNames } from './names.ts'
import { patiently } from './patiently.ts'
import { openRecordPeeker } from './peek.ts'
import { openKafkaProducer } from './producer.ts'
import { createIdempotentSender } from './sender.ts'
import type { KafkaOptions, KafkaSettings } from './settings.ts'
import { timingOf } from './timing.ts'
import { createTopicLookup, findTopics } from './topic-facts.ts'

export type { KafkaOptions, KafkaSettings } from './settings.ts'

/**
 * Topics and consumer groups in Apache Kafka. Makes no call: each connection is made when it is first used. Throws
 * where the compression asked for needs a plug-in that is not there.
 */
export const openKafkaBroker = (settings: KafkaSettings, options: KafkaOptions = {}): Broker => {
  const { log = silent, onError = () => {}, onFatal = () => {}, ownLog } = options
  const compression = compressionType(settings.compression)
  const timing = timingOf(options)
  const clock = systemClock
  const names = createNames(settings.topicPrefix)
  const outage = createOutageLog(log)
  const kafka = createKafkaClient(settings, log)
  const cluster = openCluster(kafka, timing.callMillis, outage)
  const topics = createTopicLookup(cluster, names)
  const sender = createIdempotentSender(kafka, compression, timing.callMillis)
  const producer = openKafkaProducer({ sender, topics, lingerMillis: settings.lingerMillis, clock, outage })
  const peeker = openRecordPeeker(kafka)
  const binding = openGroupOffsets(cluster, kafka, names)
  const client = () => createKafkaClient(settings, log)
  const ending = new AbortController()
  const consumers = { client, timing, clock, outage, onError, onFatal, log, closing: ending.signal }
  // One that was never reached may not exist: whoever starts then hears of it.
  const patience = { clock, mayWait: () => cluster.id() !== undefined, closing: ending.signal }
  const consumptions = new Set<Promise<Consumption>>()
  let closing: Promise<void> | undefined

  return {
    get id() {
      const clusterId = cluster.id()
      if (clusterId === undefined) throw new Error('the id of a Kafka broker is known from its first call on')
      return `${clusterId}/${settings.topicPrefix}`
    },

    ensureTopics: (wanted) => ensureTopics({ cluster, names, settings, clock, log }, wanted),

    produce: producer.produce,

    consume: async ({ group, formerGroup, topics: wanted, batchSize = 500 }, handler) => {
      if (closing) throw new Error('the broker is closed: open it again to consume')
      checkBatchSize(group, batchSize)
      const join = async () => {
        const found = await topicsToConsume(patiently(findTopics(topics, wanted), patience))
        const named = { ...found, group, fullGroup: names.full(group) }
        const groups = formerGroup === undefined ? [group] : [group, formerGroup]
        await orThrow(patiently(binding.checkRights(groups), patience))
        if (formerGroup !== undefined)
          await orThrow(patiently(binding.takeOver(group, formerGroup), patience))
        const binder = ownLog && createGroupBinder({ ...named, cluster, ownLog, clock, outage })
        return joinGroup(consumers, { ...named, batchSize, ...(binder && { binder }) }, handler)
      }
      const joining = join()
      consumptions.add(joining)
      try {
        return await joining
      } catch (error) {
        consumptions.delete(joining)
        throw error
      }
    },

    topics: () =>
      cluster.call({ what: 'list topics', grant: 'DESCRIBE on its topics' }, (admin) =>
        listTopics(admin, names),
      ),

    groups: () =>
      cluster.call({ what: 'list groups', grant: 'DESCRIBE on its groups and topics' }, (admin) =>
        listGroups(admin, names, timing.sessionMillis),
      ),

    peek: (topic, partition, from, limit) =>
      pipe(
        topics.find(topic),
        TE.chain(({ full }) =>
          cluster.call({ what: `read topic ${topic}`, grant: `READ on topic ${full}`, topic }, () =>
            peeker.peek(topic, full, partition, from, limit),
          ),
        ),
      ),

    binding,

    close: () => {
      closing ??= (async () => {
        ending.abort()
        await Promise.allSettled(Array.from(consumptions, async (one) => (await one).stop()))
        await producer.close()
        await Promise.all([peeker.close(), binding.close(), cluster.close()])
      })()
      return closing
    },
  }
}

/** Full names, ours by them, and how many partitions they have together. Throws `UnavailableError`. */
const topicsToConsume = async (finding: ReturnType<typeof findTopics>) => {
  const found = await finding()
  if (E.isRight(found)) {
    const facts = [...found.right.values()]
    return {
      topics: new Map(Array.from(found.right, ([topic, { full }]) => [full, topic])),
      partitions: facts.reduce((sum, { partitions }) => sum + partitions, 0),
    }
  }
  const failure = found.left
  if (failure.kind === 'UnknownTopic')
    throw new Error(`topic ${failure.topic} does not exist: make it with ensureTopics before consuming it`)
  throw new UnavailableError('reason' in failure ? failure.reason : failure.kind)
}
