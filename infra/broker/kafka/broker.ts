import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { Away } from '../../../src/ports/away.ts'
import type { Broker, Consumption } from '../../../src/ports/broker.ts'
import { systemClock } from '../../../src/ports/clock.ts'
import { groupBinder } from './binder.ts'
import { kafkaClient } from './client.ts'
import { openCluster } from './cluster.ts'
import { compressionType } from './compression.ts'
import { joinGroup } from './consumer.ts'
import { ensureTopics } from './ensure-topics.ts'
import { groupPlaces } from './group-places.ts'
import { listGroups } from './groups.ts'
import { listTopics } from './list-topics.ts'
import { outageLog, silent } from './log.ts'
import { namesWith } from './names.ts'
import { recordPeeker } from './peek.ts'
import { kafkaProducer } from './producer.ts'
import { idempotentSender } from './sender.ts'
import type { KafkaOptions, KafkaSettings } from './settings.ts'
import { timingOf } from './timing.ts'
import { topicLookup } from './topic-facts.ts'

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
  const names = namesWith(settings.topicPrefix)
  const outage = outageLog(log)
  const kafka = kafkaClient(settings, log)
  const cluster = openCluster(kafka, timing.callMillis, outage)
  const topics = topicLookup(cluster, names)
  const sender = idempotentSender(kafka, compression, timing.callMillis)
  const producer = kafkaProducer({ sender, topics, lingerMillis: settings.lingerMillis, clock, outage })
  const peeker = recordPeeker(kafka)
  const binding = groupPlaces(cluster, kafka, names)
  const client = () => kafkaClient(settings, log)
  const ending = new AbortController()
  const consumers = { client, timing, clock, outage, onError, onFatal, log, closing: ending.signal }
  const consumptions = new Set<Promise<Consumption>>()
  let closing: Promise<void> | undefined

  /** Full names, ours by them, and how many partitions they have together. */
  const subscribable = async (wanted: readonly string[]) => {
    const found = new Map<string, string>()
    let partitions = 0
    for (const topic of wanted) {
      const facts = await topics.find(topic)
      if (isLeft(facts)) {
        if (facts.left.kind === 'UnknownTopic')
          throw new Error(`topic ${topic} does not exist: make it with ensureTopics before consuming it`)
        throw new Away('reason' in facts.left ? facts.left.reason : facts.left.kind)
      }
      found.set(facts.right.full, topic)
      partitions += facts.right.partitions
    }
    return { topics: found, partitions }
  }

  return {
    get id() {
      const clusterId = cluster.id()
      if (clusterId === undefined) throw new Error('the id of a Kafka broker is known from its first call on')
      return `${clusterId}/${settings.topicPrefix}`
    },

    ensureTopics: (wanted) => () => ensureTopics({ cluster, names, settings, clock, log }, wanted),

    produce: (records) => () => producer.produce(records),

    consume: async ({ group, topics: wanted, batchSize = 500 }, handler) => {
      if (closing) throw new Error('the broker is closed: open it again to consume')
      if (!Number.isSafeInteger(batchSize) || batchSize < 1)
        throw new RangeError(`group ${group}: batchSize is ${batchSize}; give a whole number from 1`)
      const join = async () => {
        const named = { ...(await subscribable(wanted)), group, fullGroup: names.full(group) }
        const binder = ownLog && groupBinder({ ...named, cluster, ownLog, clock, outage })
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

    topics: () => () =>
      cluster.call({ what: 'list topics', grant: 'DESCRIBE on its topics' }, (admin) =>
        listTopics(admin, names),
      ),

    groups: () => () =>
      cluster.call({ what: 'list groups', grant: 'DESCRIBE on its groups and topics' }, (admin) =>
        listGroups(admin, names, timing.sessionMillis),
      ),

    peek: (topic, partition, from, limit) => async () => {
      const facts = await topics.find(topic)
      if (isLeft(facts)) return facts
      const { full } = facts.right
      const call = { what: `read topic ${topic}`, grant: `READ on topic ${full}`, topic }
      const found = await cluster.call(call, () => peeker.peek(topic, full, partition, from, limit))
      return isLeft(found) ? left(found.left) : right(found.right)
    },

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
