import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import kafkajs from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { installCodecs, maxFetchedBytes } from '../../infra/broker/kafka/codecs/codecs.ts'
import { classPath } from '../../infra/local/kafka/artifacts.ts'
import { createApi } from '../../src/api/create-api.ts'
import { restingPartitions } from '../../src/app/doctor/resting.ts'
import { messageLag } from '../../src/app/doctor/work.ts'
import { groupPositions } from '../../src/app/lags.ts'
import { readTopic } from '../../src/app/read-topic.ts'
import { startRoles } from '../../src/app/roles.ts'
import type { System } from '../../src/app/system.ts'
import { ensureTopics } from '../../src/app/topics.ts'
import { waitUntilIdle } from '../../src/app/wait-until-idle.ts'
import { orThrow } from '../../src/async/unavailable.ts'
import { contentTopic } from '../../src/domain/fixity/messages.ts'
import { started, testSystem } from '../app/archive.ts'
import { limits, patience } from '../patience.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const brokers = 'absent' in kafka ? [] : kafka.address.split(',')
const topic = contentTopic.name

const onKafka = async (partitions: number): Promise<System & { readonly full: string }> => {
  const topicPrefix = `${uuid()}-`
  const system = await testSystem({ broker: `kafka://${brokers.join(',')}`, topicPrefix, partitions })
  await ensureTopics(system)
  return { ...system, full: topicPrefix + topic }
}

const client = () => new kafkajs.Kafka({ brokers, clientId: 'any', logLevel: kafkajs.logLevel.NOTHING })

const producer = async (options: kafkajs.ProducerConfig = {}) => {
  const made = client().producer(options)
  await made.connect()
  onTestFinished(() => made.disconnect())
  return made
}

/** What waits for the processors of the topic. */
const lagOf = async (system: System) =>
  (await groupPositions(system))
    .filter((one) => one.topic === topic)
    .reduce((sum, { committed, end }) => sum + Number(end - committed), 0)

const lettersOf = (system: System) =>
  system.viewStore.query('dead-letters', { orderBy: [{ column: 'offset' }] }).map(({ key }) => key)

describe.skipIf('absent' in kafka)('records of other producers', () => {
  it(
    "of Kafka's own, compressed in each way, are read by those who look and by processors",
    limits,
    async () => {
      const system = await onKafka(1)
      const names = ['none', 'gzip', 'snappy', 'lz4', 'zstd']
      const jars = await classPath(() => {})
      const program = join(import.meta.dirname, 'java/Producer.java')
      await promisify(execFile)('java', [
        '-cp',
        jars,
        program,
        brokers.join(','),
        system.full,
        '60',
        ...names,
      ])
      const expected = names.flatMap((name) => Array.from({ length: 60 }, (_, n) => `${name}-${n}`))
      const read = await orThrow(async () => readTopic(system.broker, topic, 'start', 1000))
      expect(read.records.map(({ key }) => key)).toEqual(expected)
      for (const { key, value } of read.records) {
        const [name, n] = key!.split('-')
        expect(Buffer.from(value).toString()).toBe(`${n} as ${name}, again and again; `.repeat(20))
      }
      await started(system, ['processors', 'projections'])
      await vi.waitUntil(() => lettersOf(system).length === expected.length, {
        timeout: patience,
        interval: 100,
      })
      expect(lettersOf(system).toSorted()).toEqual(expected.toSorted())
    },
  )

  it.each(['gzip', 'snappy', 'lz4', 'zstd'] as const)(
    'are written in %s, too, and read back',
    async (compression) => {
      const topicPrefix = `${uuid()}-`
      const broker = `kafka://${brokers.join(',')}`
      const system = await testSystem({ broker, topicPrefix, partitions: 1, kafkaCompression: compression })
      await ensureTopics(system)
      const value = 'again and again '.repeat(10_000)
      await orThrow(system.broker.produce([{ topic, key: 'k', headers: {}, value }]))
      const [read] = await orThrow(system.broker.peek(topic, 0, 0n, 10))
      expect(Buffer.from(read!.value).toString()).toBe(value)
    },
  )

  it(
    'that cannot be read stop their partition alone, which is told with place and cause until the group is moved past them',
    limits,
    async () => {
      const system = await onKafka(2)
      // Zeros, a little more than a fetch may hold once decompressed: some kilobytes in Kafka.
      kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
        compress: async ({ buffer }: { readonly buffer: Buffer }) => zstdCompressSync(buffer),
      })
      const other = await producer()
      const send = (partition: number, key: string, value: Buffer | string, compression = 0) =>
        other.send({ topic: system.full, compression, messages: [{ partition, key, value }] })
      await send(0, 'before', '{')
      await send(0, 'large', Buffer.alloc(maxFetchedBytes + 1), kafkajs.CompressionTypes.ZSTD)
      installCodecs()
      await send(1, 'beside', '{')
      const running = await startRoles(system, ['processors', 'projections'])
      const api = await createApi(system, { running })
      onTestFinished(async () => {
        await api.close()
        await running.stop(0)
      })
      const ready = async () => {
        const { statusCode: status, body } = await api.inject('/readyz')
        return { status, resting: JSON.parse(body).resting as readonly unknown[] | undefined }
      }
      await vi.waitUntil(() => system.partitions.resting().length > 0, { timeout: patience, interval: 100 })
      await vi.waitUntil(() => lettersOf(system).length === 2, { timeout: patience, interval: 100 })
      expect(lettersOf(system).toSorted()).toEqual(['before', 'beside'])
      const place = { topic, partition: 0, offset: 1n }
      const because = expect.stringContaining(`it holds more than ${maxFetchedBytes} bytes once decompressed`)
      expect(system.partitions.resting()).toMatchObject([{ ...place, because }])
      // People need the page most while something stands still.
      await vi.waitUntil(async () => (await ready()).status === 200, { timeout: patience, interval: 100 })
      expect((await ready()).resting).toMatchObject([{ ...place, offset: '1', because }])
      const { clock } = system
      const doctor = { ...system, clock: { ...clock, sleep: () => clock.sleep(20) } }
      const found = await vi.waitUntil(
        async () => (await restingPartitions(doctor)).find(({ status }) => status === 'fail'),
        { timeout: patience, interval: 500 },
      )
      expect(found.says).toMatch(
        new RegExp(`is stalled at ${topic}, partition 0, offset 1: could not read .*once decompressed`),
      )
      // What comes behind the stop on the other partition is handled.
      await send(1, 'later', '{')
      await vi.waitUntil(() => lettersOf(system).length === 3, { timeout: patience, interval: 100 })

      // A person moves the group past it, as Kafka lets only while no member is in it.
      await running.stop(0)
      const admin = client().admin()
      await admin.connect()
      onTestFinished(() => admin.disconnect())
      const { groups } = await admin.listGroups()
      const [group] = groups.filter(
        ({ groupId }) =>
          groupId.startsWith(system.config.topicPrefix) && groupId.endsWith(found.says.split(' ')[0]!),
      )
      await vi.waitUntil(
        async () => {
          await admin.setOffsets({
            groupId: group!.groupId,
            topic: system.full,
            partitions: [{ partition: 0, offset: '2' }],
          })
          return true
        },
        { timeout: patience, interval: 500 },
      )
      await send(0, 'behind', '{')
      await started(system, ['processors', 'projections'])
      await vi.waitUntil(() => lettersOf(system).length === 4, { timeout: patience, interval: 100 })
      expect(await ready()).toEqual({ status: 200, resting: [] })
      expect(await restingPartitions(doctor)).toMatchObject([{ status: 'ok' }])
    },
  )
})

describe.skipIf('absent' in kafka)('transactions of other producers', () => {
  const write = async (full: string) => {
    const one = await producer({ transactionalId: uuid(), maxInFlightRequests: 1, idempotent: true })
    const send = async (partition: number, key: string, ends: 'commit' | 'abort') => {
      const transaction = await one.transaction()
      await transaction.send({ topic: full, messages: [{ partition, key, value: '{' }] })
      await transaction[ends]()
    }
    return send
  }

  it('that are aborted are shown to nobody, and leave no lag behind their marks', limits, async () => {
    const system = await onKafka(2)
    const send = await write(system.full)
    await send(0, 'kept-1', 'commit')
    await send(0, 'dropped-1', 'abort')
    await send(0, 'kept-2', 'commit')
    await send(0, 'dropped-2', 'abort')
    await send(1, 'dropped-3', 'abort')
    const page = await orThrow(async () => readTopic(system.broker, topic, 'start', 100))
    expect(page.records.map(({ key }) => key)).toEqual(['kept-1', 'kept-2'])
    const running = await started(system, ['processors', 'reactions', 'projections'])
    await vi.waitUntil(async () => (await lagOf(system)) === 0, { timeout: patience, interval: 100 })
    await waitUntilIdle(system)
    expect(lettersOf(system)).toEqual(['kept-1', 'kept-2'])
    expect(await messageLag(system)).toMatchObject({ status: 'ok', says: 'every message is handled' })
    expect(await restingPartitions(system)).toMatchObject([{ status: 'ok' }])
    // Kafka has it, too: the group's offset is behind the last mark.
    const admin = client().admin()
    await admin.connect()
    onTestFinished(() => admin.disconnect())
    const ends = await admin.fetchTopicOffsets(system.full)
    await vi.waitFor(async () => {
      const groups = (await admin.listGroups()).groups.filter(({ groupId: id }) =>
        id.startsWith(system.config.topicPrefix),
      )
      const committed = await Promise.all(
        groups.map((group) => admin.fetchOffsets({ groupId: group.groupId, topics: [system.full] })),
      )
      const at = committed
        .flat()
        .flatMap(({ partitions }) => partitions)
        .filter(({ offset }) => offset !== '-1')
      expect(at.map(({ partition, offset }) => `${partition}@${offset}`).toSorted()).toEqual(
        ends.map(({ partition, high }) => `${partition}@${high}`).toSorted(),
      )
    }, patience)
    // Nobody runs: marks that come now are no lag either.
    await running.stop()
    await send(0, 'dropped-4', 'abort')
    expect(await lagOf(system)).toBe(0)
    expect(await messageLag(system)).toMatchObject({ status: 'ok' })
    await send(0, 'kept-3', 'commit')
    expect(await lagOf(system)).toBeGreaterThan(0)
  })
})
