import * as either from 'fp-ts/lib/Either.js'
import kafkajs, { type EachBatchPayload } from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { openKafkaBroker } from '../infra/broker/kafka/broker.ts'
import { serverJvm, startKafka } from '../infra/local/kafka/kafka.ts'
import type { ProducerRecord } from '../src/ports/broker.ts'
import { expectSame, medians, printTable, rate } from './table.ts'

/*
 * Producing and taking in beside bare kafkajs, on the Kafka of FONDS_KAFKA or one started for it.
 * NODE_OPTIONS=--disable-warning=TimeoutNegativeWarning keeps kafkajs quiet.
 */

const given = process.env.FONDS_KAFKA
const local = given ? undefined : await startKafka({ jvm: serverJvm })
const address = given ?? local!.address
const brokers = address.split(',')
const partitions = 4
const rounds = 5

const client = () => new kafkajs.Kafka({ brokers, clientId: 'bench', logLevel: kafkajs.logLevel.NOTHING })
const topicPrefix = `bench-${uuid()}-`
const broker = openKafkaBroker({
  brokers,
  clientId: 'bench',
  topicPrefix,
  replication: -1,
  compression: 'none',
  lingerMillis: 5,
})
const freshTopic = async (): Promise<string> => {
  const name = uuid()
  const made = await broker.ensureTopics([{ name, partitions }])()
  if (either.isLeft(made)) throw new Error(JSON.stringify(made.left))
  return name
}

const records = (topic: string, count: number): ProducerRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    topic,
    key: `main/letters/1912/${n % 5000}.tif`,
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: `bench-${n}`,
      ce_source: '/bench',
      ce_type: 'org.fonds.bench',
      ce_time: '2026-01-01T00:00:00.000Z',
    },
    value: JSON.stringify({ store: 'main', path: `letters/1912/${n}.tif`, note: 'x'.repeat(120), size: n }),
  }))
const sliced = <A>(all: readonly A[], size: number): A[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const produced = 50_000
const batch = 500

/** What stands on the topic is what was produced. */
const expectOn = async (topic: string): Promise<void> => {
  const infos = await broker.topics()()
  if (either.isLeft(infos)) throw new Error(JSON.stringify(infos.left))
  const offsets = infos.right.find(({ name }) => name === topic)?.offsets ?? []
  expectSame(
    'records produced',
    offsets.reduce((sum, { start, end }) => sum + Number(end - start), 0),
    produced,
  )
}

/** Eight callers, each waiting for its own batch before the next one. */
const produceOurs = (size: number, callers: number) => async () => {
  const topic = await freshTopic()
  const calls = sliced(records(topic, produced), size)
  const result = await rate(produced, async () => {
    const caller = async () => {
      for (let call = calls.shift(); call; call = calls.shift()) {
        const result = await broker.produce(call)()
        if (either.isLeft(result)) throw new Error(JSON.stringify(result.left))
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  })
  await expectOn(topic)
  return result
}

const bareProducer = client().producer({
  idempotent: true,
  maxInFlightRequests: 1,
  createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
})
await bareProducer.connect()
const produceBare = async () => {
  const name = await freshTopic()
  const topic = topicPrefix + name
  const plain = records(topic, produced).map(({ key, headers, value }) => ({
    key,
    headers,
    value: String(value),
  }))
  const calls = sliced(plain, batch)
  const result = await rate(produced, async () => {
    for (const messages of calls) await bareProducer.sendBatch({ topicMessages: [{ topic, messages }] })
  })
  await expectOn(name)
  return result
}

const taken = 100_000
const full = await freshTopic()
for (const part of sliced(records(full, taken), 5000)) {
  const result = await broker.produce(part)()
  if (either.isLeft(result)) throw new Error(JSON.stringify(result.left))
}

const parse = (value: string | Uint8Array | null): unknown => JSON.parse(Buffer.from(value ?? '').toString())

const takeOurs = async () => {
  let seen = 0
  const done = Promise.withResolvers<void>()
  const open = openKafkaBroker({
    brokers,
    clientId: 'bench',
    topicPrefix,
    replication: -1,
    compression: 'none',
    lingerMillis: 5,
  })
  const result = await rate(taken, async () => {
    await open.consume({ group: uuid(), topics: [full] }, async (batch) => {
      for (const record of batch.records) parse(record.value)
      seen += batch.records.length
      if (seen >= taken) done.resolve()
      return batch.records.at(-1)!.offset + 1n
    })
    await done.promise
  })
  await open.close()
  expectSame('records taken in', seen, taken)
  return result
}

const takeBare = async () => {
  let seen = 0
  const done = Promise.withResolvers<void>()
  const consumer = client().consumer({ groupId: topicPrefix + uuid(), maxWaitTimeInMs: 300 })
  const result = await rate(taken, async () => {
    await consumer.connect()
    await consumer.subscribe({ topics: [topicPrefix + full], fromBeginning: true })
    await consumer.run({
      partitionsConsumedConcurrently: partitions,
      eachBatch: async ({ batch }: EachBatchPayload) => {
        for (const message of batch.messages) parse(message.value)
        seen += batch.messages.length
        if (seen >= taken) done.resolve()
      },
    })
    await done.promise
  })
  await consumer.disconnect()
  expectSame('records that the bare client took in', seen, taken)
  return result
}

const [eight, one, single, bare] = await medians(
  rounds,
  produceOurs(batch, 8),
  produceOurs(batch, 1),
  produceOurs(1, 500),
  produceBare,
)
const [ourIntake, bareIntake] = await medians(rounds, takeOurs, takeBare)

const beside = `kafkajs sendBatch of ${batch}`
printTable('kafka', [
  {
    what: `produce, calls of ${batch}, 8 at once`,
    ours: eight!,
    beside,
    theirs: bare!,
    unit: '/s',
    promise: 0.8,
  },
  {
    what: `produce, calls of ${batch}, one at a time`,
    ours: one!,
    beside,
    theirs: bare!,
    unit: '/s',
    promise: 0.8,
  },
  { what: 'produce, single records, 500 at once', ours: single!, beside, theirs: bare!, unit: '/s' },
  {
    what: 'take in, parsed',
    ours: ourIntake!,
    beside: 'kafkajs eachBatch, JSON.parse',
    theirs: bareIntake!,
    unit: '/s',
  },
])
await bareProducer.disconnect()
await broker.close()
await local?.stop()
