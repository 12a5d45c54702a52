import kafkajs from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { serverJvm, startKafka } from '../infra/local/kafka/kafka.ts'
import type { Config } from '../src/app/config/settings.ts'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { benchSystem, expectShown } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Small messages from a topic to the views: on Kafka, on the embedded broker, and beside a bare kafkajs consumer that
 * only parses them. `node bench/kafka-pipeline.ts [messages]`, on the Kafka of FONDS_KAFKA or one started for it.
 */

const total = Number(process.argv[2] ?? 100_000)
const local = process.env.FONDS_KAFKA ? undefined : await startKafka({ jvm: serverJvm })
const address = process.env.FONDS_KAFKA ?? local!.address
const topicPrefix = `bench-${uuid()}-`
const onKafka: Partial<Config> = { broker: `kafka://${address}`, topicPrefix }

const checksums = [
  { algorithm: 'sha-256', value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
]
const path = (n: number) =>
  `folder-${String(Math.floor(n / 200)).padStart(5, '0')}/file-${String(n).padStart(7, '0')}.tif`

const fill = async (system: System): Promise<void> => {
  await ensureTopics(system)
  for (let from = 0; from < total; from += 500) {
    const data = Array.from({ length: Math.min(500, total - from) }, (_, i) => ({
      type: 'content.recorded',
      data: { store: 'bench', path: path(from + i), size: 12345, checksums },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', data)
  }
}

/** Messages a second from the first look to the last view. */
const toViews = async (settings: Partial<Config>): Promise<number> => {
  const { system, dispose } = await benchSystem(settings)
  await fill(system)
  const started = performance.now()
  const running = await startRoles(system, ['processors', 'reactions', 'projections'])
  await waitUntilIdle(system)
  const rate = (total / (performance.now() - started)) * 1000
  await running.stop()
  expectShown(system, total)
  await dispose()
  return rate
}

/** The same records, parsed and forgotten. */
const onlyParsed = async (): Promise<number> => {
  const kafka = new kafkajs.Kafka({ brokers: address.split(','), logLevel: kafkajs.logLevel.NOTHING })
  const consumer = kafka.consumer({ groupId: uuid(), maxWaitTimeInMs: 250 })
  await consumer.connect()
  await consumer.subscribe({ topics: [`${topicPrefix}${contentTopic.name}`], fromBeginning: true })
  const started = performance.now()
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let parsed = 0
  await consumer.run({
    partitionsConsumedConcurrently: 4,
    eachBatch: async ({ batch: { messages } }) => {
      for (const { value } of messages) JSON.parse(String(value))
      parsed += messages.length
      if (parsed >= total) resolve()
    },
  })
  await done
  const rate = (total / (performance.now() - started)) * 1000
  await consumer.disconnect()
  expectSame('messages parsed', parsed, total)
  return rate
}

const ours = await toViews(onKafka)
const bare = await onlyParsed()
const embedded = await toViews({})
printTable(`${total} messages`, [
  {
    what: 'Kafka to views',
    ours,
    beside: 'kafkajs eachBatch, only parsed',
    theirs: bare,
    unit: '/s',
    promise: 0.5,
  },
  {
    what: 'Kafka to views',
    ours,
    beside: 'embedded broker to views',
    theirs: embedded,
    unit: '/s',
    promise: 0.5,
  },
])
await local?.stop()
