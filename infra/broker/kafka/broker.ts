import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import kafkajs, { type CompressionTypes } from 'kafkajs'
import { systemClock } from '../../../src/async/system-clock.ts'
import type { Broker } from '../../../src/ports/broker.ts'
import { createKafkaClient } from './client.ts'
import { openCluster } from './cluster.ts'
import { openConsumers } from './consumers.ts'
import { ensureTopics } from './ensure-topics.ts'
import { openGroupOffsets } from './group-offsets.ts'
import { createAheadCache, listGroups } from './groups.ts'
import { listTopics } from './list-topics.ts'
import { createOutageLog, silent } from './log.ts'
import { createNames } from './names.ts'
import { openRecordPeeker } from './peek.ts'
import { openKafkaProducer } from './producer.ts'
import { createIdempotentSender } from './sender.ts'
import type { KafkaOptions, KafkaSettings } from './settings.ts'
import { createSockets } from './sockets.ts'
import { timingOf } from './timing.ts'
import { createTopicLookup } from './topic-facts.ts'

export type { KafkaOptions, KafkaSettings } from './settings.ts'

/** Topics and consumer groups in Apache Kafka. Makes no call: each connection is made when it is first used. */
export const openKafkaBroker = (settings: KafkaSettings, options: KafkaOptions = {}): Broker => {
  const { log = silent, onError = () => {}, onFatal = () => {}, ownLog } = options
  const timing = timingOf(options)
  const clock = systemClock
  const names = createNames(settings.topicPrefix)
  const outage = createOutageLog(log)
  const sockets = createSockets()
  const client = () => createKafkaClient(settings, log, sockets)
  const kafka = client()
  const cluster = openCluster(kafka, timing.callMillis, outage)
  const topics = createTopicLookup(cluster, names)
  const sender = createIdempotentSender(kafka, compressionTypes[settings.compression], timing.callMillis)
  const producer = openKafkaProducer({ sender, topics, lingerMillis: settings.lingerMillis, clock, outage })
  const peeker = openRecordPeeker(kafka)
  const lookAhead = createAheadCache(peeker.lookAhead)
  const binding = openGroupOffsets(cluster, kafka, names)
  const joining = { client, timing, clock, outage, onError, onFatal, log }
  const consumers = openConsumers({ joining, cluster, names, topics, binding, ownLog })

  const close = async (): Promise<void> => {
    await consumers.close()
    await producer.close()
    await Promise.all([peeker.close(), binding.close(), cluster.close()])
    sockets.close()
  }
  let closing: Promise<void> | undefined

  return {
    get id() {
      const clusterId = cluster.id()
      if (clusterId === undefined) throw new Error('the id of a Kafka broker is known from its first call on')
      return `${clusterId}/${settings.topicPrefix}`
    },

    ensureTopics: (wanted) => ensureTopics({ cluster, names, settings, clock, log }, wanted),

    produce: producer.produce,

    consume: consumers.consume,

    topics: () =>
      cluster.call({ what: 'list topics', grant: 'DESCRIBE on its topics' }, (admin) =>
        listTopics(admin, names),
      ),

    groups: () =>
      cluster.call({ what: 'list groups', grant: 'DESCRIBE on its groups and topics' }, (admin) =>
        listGroups({ admin, names, sessionMillis: timing.sessionMillis, lookAhead }),
      ),

    peek: (topic, partition, from, limit) =>
      pipe(
        topics.find(topic),
        TE.chain(({ full }) =>
          cluster.call(
            {
              what: `read topic ${topic}, partition ${partition}, from offset ${from} on`,
              grant: `READ on topic ${full}`,
              topic,
              reads: true,
            },
            () => peeker.peek(topic, full, partition, from, limit),
          ),
        ),
      ),

    binding,

    close: () => {
      closing ??= close()
      return closing
    },
  }
}

const compressionTypes: Readonly<Record<KafkaSettings['compression'], CompressionTypes>> = {
  none: kafkajs.CompressionTypes.None,
  gzip: kafkajs.CompressionTypes.GZIP,
  snappy: kafkajs.CompressionTypes.Snappy,
  lz4: kafkajs.CompressionTypes.LZ4,
  zstd: kafkajs.CompressionTypes.ZSTD,
}
