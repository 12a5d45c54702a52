import { createServer } from 'node:net'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type KafkaOptions, type KafkaSettings, openKafkaBroker } from '../../infra/broker/kafka/broker.ts'
import type { Broker, RecordBatch } from '../../src/ports/broker.ts'
import { endOf, numbers, orThrow, place, record } from '../contracts/broker/fixture.ts'
import { brokerContract } from '../contracts/broker.ts'
import { patience } from '../patience.ts'
import { useKafka } from './own-kafka.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const address = 'absent' in kafka ? '' : kafka.address

const settings = (topicPrefix: string): KafkaSettings => ({
  brokers: address.split(','),
  clientId: 'fonds-test',
  topicPrefix,
  replication: -1,
  compression: 'none',
  lingerMillis: 2,
})
/** The shortest that Kafka allows. */
const sessionMillis = 6000

const contract = () =>
  brokerContract('kafka', async () => {
    const prefix = `${uuid()}-`
    const open = () => openKafkaBroker(settings(prefix), { sessionMillis })
    const broker = open()
    const opened = [broker]
    return {
      broker,
      other: async () => {
        const other = open()
        opened.push(other)
        await orThrow(other.topics())
        return other
      },
      dispose: async () => {
        await Promise.all(opened.map((one) => one.close()))
      },
      maxMessageBytes: 1_048_588,
    }
  })

describe.skipIf('absent' in kafka)('on a server', contract)

describe.skipIf('absent' in kafka)('kafka', () => {
  let prefix: string
  let opened: Broker[]
  const topic = 'work'
  const group = 'workers'
  const open = (changes: Partial<KafkaSettings> = {}, options: KafkaOptions = {}) => {
    const broker = openKafkaBroker({ ...settings(prefix), ...changes }, { sessionMillis, ...options })
    opened.push(broker)
    return broker
  }
  const until = <A>(condition: () => A | Promise<A>) => vi.waitFor(condition, { interval: 20 })
  const lagOf = async (broker: Broker) => {
    const [found] = await orThrow(broker.groups())
    return found?.partitions.reduce((sum, { lag }) => sum + Number(lag), 0)
  }
  /** Records of numbered keys, and which partition each number went to. */
  const fill = (broker: Broker, count: number) =>
    orThrow(broker.produce(numbers(count).map((n) => record(topic, `key-${n}`, String(n)))))

  beforeEach(() => {
    prefix = `${uuid()}-`
    opened = []
  })
  afterEach(() => Promise.all(opened.map((broker) => broker.close())))

  describe('consume', () => {
    it('gives work up at a rebalance: what is finished is committed, nothing finished is done again', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 4 }]))
      await fill(broker, 200)
      const done: string[] = []
      let holding = true
      // Two records of each batch, then as long as it takes until the group is shared anew.
      const slow = async (batch: RecordBatch, signal: AbortSignal) => {
        const some = batch.records.slice(0, 2)
        done.push(...some.map(place))
        if (holding && !signal.aborted)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        return endOf({ ...batch, records: some })
      }
      const first = await broker.consume({ group, topics: [topic] }, slow)
      await until(() => expect(done).toHaveLength(8))
      const second = await open().consume({ group, topics: [topic] }, slow)
      holding = false
      await until(async () => expect(await lagOf(broker)).toBe(0))
      expect(new Set(done).size).toBe(200)
      expect(done).toHaveLength(200)
      await Promise.all([first.stop(), second.stop()])
    })

    it('leaves a partition with a handler that takes longer than the session, which works once', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      await fill(broker, 5)
      const batches: RecordBatch[] = []
      const aborts: unknown[] = []
      const started = performance.now()
      const consumption = await broker.consume({ group, topics: [topic] }, async (batch, signal) => {
        batches.push(batch)
        signal.addEventListener('abort', () => aborts.push(batch))
        // Members are dropped by Kafka's own clock: this has to be as long as it says.
        while (performance.now() - started < sessionMillis * 2)
          await new Promise((resolve) => setTimeout(resolve, 50))
        return endOf(batch)
      })
      const { member } = consumption
      await until(async () => expect(await lagOf(broker)).toBe(0))
      expect(batches).toHaveLength(1)
      expect(aborts).toEqual([])
      expect(consumption.member).toBe(member)
      await consumption.stop()
    })

    it('takes the partitions from a member that hangs, and says so there', async () => {
      const fatal: Error[] = []
      const broker = open({}, { hungMillis: 1000, stopMillis: 500, onFatal: (error) => fatal.push(error) })
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      await fill(broker, 5)
      let hangs = false
      await broker.consume({ group, topics: [topic] }, () => {
        hangs = true
        return new Promise<bigint>(() => {})
      })
      await until(() => expect(hangs).toBe(true))
      const other = open()
      const consumption = await other.consume({ group, topics: [topic] }, async (batch) => endOf(batch))
      await until(async () => expect(await lagOf(other)).toBe(0))
      await until(() => expect(fatal.map((error) => error.message)).toEqual([expect.stringContaining(group)]))
      await consumption.stop()
    })

    it('goes on with other partitions while one fails for ever', async () => {
      const errors: unknown[] = []
      const broker = open({}, { onError: (error) => errors.push(error) })
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 3 }]))
      const finished = new Set<string>()
      const consumption = await broker.consume({ group, topics: [topic], batchSize: 5 }, async (batch) => {
        if (batch.partition === 0) throw new TypeError('poison')
        for (const one of batch.records) finished.add(place(one))
        return endOf(batch)
      })
      let others = 0
      for (const _ of numbers(10)) {
        const places = await fill(broker, 30)
        others += places.filter(({ partition }) => partition !== 0).length
        const begun = performance.now()
        await until(() => expect(finished.size).toBe(others))
        expect(performance.now() - begun).toBeLessThan(5000)
      }
      expect(errors[0]).toBeInstanceOf(TypeError)
      const [{ partitions } = { partitions: [] }] = await orThrow(broker.groups())
      expect(partitions.map(({ lag }) => lag > 0n)).toEqual([true, false, false])
      await consumption.stop()
    })
  })

  describe('membership', () => {
    it('ends with the broker, even one that was just about to begin', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      const joining = broker.consume({ group, topics: [topic] }, async (batch) => endOf(batch))
      await broker.close()
      await joining
      const groups = await orThrow(open().groups())
      expect(groups.flatMap(({ members }) => members)).toEqual([])
    })

    it('outlives a restart of Kafka, which is said once', async ({ skip }) => {
      const own = await useKafka(skip)
      const told: string[] = []
      const tell = (level: string) => (_: unknown, text?: string) => told.push(`${level} ${text ?? _}`)
      const log = { debug: () => {}, info: tell('info'), warn: tell('warn'), error: tell('error') }
      const broker = open({ brokers: [own.address] }, { log, callMillis: 5000 })
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 2 }]))
      const seen = new Set<string>()
      const consumption = await broker.consume({ group, topics: [topic] }, async (batch) => {
        for (const one of batch.records) seen.add(place(one))
        return endOf(batch)
      })
      await fill(broker, 10)
      await until(() => expect(seen.size).toBe(10))
      await own.kill()
      await until(() => expect(told.filter((line) => line.startsWith('warn'))).toHaveLength(1))
      expect(await broker.produce([record(topic, 'a', '1')])()).toMatchObject({
        left: { kind: 'Unavailable' },
      })
      await own.start()
      await until(() => fill(broker, 10))
      await until(() => expect(seen.size).toBe(20))
      await until(async () => expect(await lagOf(broker)).toBe(0))
      expect(told).toEqual([
        expect.stringContaining('warn Kafka is unavailable'),
        'warn Kafka is available again',
      ])
      await consumption.stop()
      await broker.close()
    })
  })

  describe('topics and groups', () => {
    it('show without their prefix, and none of another prefix', async () => {
      const broker = open()
      const other = open({ topicPrefix: `${uuid()}-` })
      for (const one of [broker, other]) {
        await orThrow(one.ensureTopics([{ name: topic, partitions: 1, retentionMillis: 60_000 }]))
        await fill(one, 3)
      }
      const batches: RecordBatch[] = []
      const consumption = await broker.consume({ group, topics: [topic] }, async (batch) => {
        batches.push(batch)
        return endOf(batch)
      })
      await until(async () => expect(await lagOf(broker)).toBe(0))
      expect(batches[0]).toMatchObject({ topic, records: [{ topic }, { topic }, { topic }] })
      expect(await orThrow(broker.topics())).toEqual([
        {
          name: topic,
          partitions: 1,
          retentionMillis: 60_000,
          offsets: [{ partition: 0, start: 0n, end: 3n }],
        },
      ])
      expect(await orThrow(broker.groups())).toMatchObject([
        { group, members: [{ partitions: [`${topic}-0`] }], partitions: [{ topic }] },
      ])
      expect(await orThrow(other.groups())).toEqual([])
      expect(broker.id).not.toBe(other.id)
      await consumption.stop()
    })

    it('show none of Kafka’s own where there is no prefix', async () => {
      const broker = open({ topicPrefix: '' })
      // Others make topics on this Kafka: one that has no leader yet cannot be listed.
      const all = await vi.waitFor(() => orThrow(broker.topics()), { timeout: patience, interval: 200 })
      expect(all.filter(({ name }) => name.startsWith('__'))).toEqual([])
    })

    it('get another retention and keep their other settings', async () => {
      const broker = open()
      const ensure = (retentionMillis?: number) =>
        orThrow(
          broker.ensureTopics([
            { name: topic, partitions: 1, ...(retentionMillis !== undefined && { retentionMillis }) },
          ]),
        )
      await ensure(60_000)
      await ensure(90_000)
      expect(await orThrow(broker.topics())).toMatchObject([{ retentionMillis: 90_000 }])
      await ensure()
      expect((await orThrow(broker.topics()))[0]).not.toHaveProperty('retentionMillis')
      // The time is still the one at which Kafka took it: later than before, whatever clients say.
      const before = Date.now()
      await fill(broker, 1)
      const [first] = await orThrow(broker.peek(topic, 0, 0n, 1))
      expect(Date.parse(first!.timestamp)).toBeGreaterThanOrEqual(before)
    })

    it('that Kafka will not make are named', async () => {
      const made = await open({ replication: 3 }).ensureTopics([{ name: topic, partitions: 1 }])()
      expect(made).toMatchObject({ left: { kind: 'Unavailable', reason: expect.stringContaining(topic) } })
    })
  })

  describe('produce', () => {
    it('spreads records without a key', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 3 }]))
      const calls = await Promise.all(
        numbers(30).map((n) => orThrow(broker.produce([record(topic, null, String(n))]))),
      )
      const perPartition = Map.groupBy(calls.flat(), ({ partition }) => partition)
      expect([...perPartition.values()].map((places) => places.length)).toEqual([10, 10, 10])
    })

    it('tells many callers their own places, in the order they called', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 3 }]))
      const calls = await Promise.all(
        numbers(300).map((n) =>
          orThrow(broker.produce(numbers(5).map((i) => record(topic, `key-${i}`, String(n))))),
        ),
      )
      for (const i of numbers(5)) {
        const offsets = calls.map((places) => places[i]!.offset)
        expect(offsets).toEqual(offsets.toSorted((a, b) => Number(a - b)))
      }
      const { partition } = calls[0]![0]!
      const kept = await orThrow(broker.peek(topic, partition, 0n, 10_000))
      for (const [n, places] of calls.entries())
        for (const one of places.filter((place) => place.partition === partition))
          expect(Buffer.from(kept[Number(one.offset)]!.value).toString()).toBe(String(n))
    })

    it('sends more than Kafka takes in one piece', async () => {
      const broker = open()
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      const places = await orThrow(
        broker.produce(numbers(60).map((n) => record(topic, `key-${n}`, 'x'.repeat(100_000)))),
      )
      expect(places.map(({ offset }) => offset)).toEqual(numbers(60).map(BigInt))
    })

    it('reads back what it compressed', async () => {
      const broker = open({ compression: 'gzip' })
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      const value = 'again and again '.repeat(1000)
      await orThrow(broker.produce(numbers(50).map((n) => record(topic, `key-${n}`, value))))
      const batches: RecordBatch[] = []
      const consumption = await broker.consume({ group, topics: [topic] }, async (batch) => {
        batches.push(batch)
        return endOf(batch)
      })
      await until(async () => expect(await lagOf(broker)).toBe(0))
      const values = batches.flatMap(({ records }) => records.map((one) => Buffer.from(one.value).toString()))
      expect(values).toEqual(numbers(50).map(() => value))
      await consumption.stop()
    })

    it('refuses what is too large, and lets other callers’ records through', async () => {
      const broker = open({ lingerMillis: 50 })
      await orThrow(broker.ensureTopics([{ name: topic, partitions: 1 }]))
      const results = await Promise.all([
        broker.produce([record(topic, 'a', '1')])(),
        broker.produce([record(topic, 'a', 'x'.repeat(2_000_000))])(),
        broker.produce([record(topic, 'a', '3')])(),
      ])
      expect(results.map(either.isRight)).toEqual([true, false, true])
      expect(results[1]).toMatchObject({ left: { kind: 'TooLarge', limit: 1_048_588 } })
    })

    it('says in bounded time that Kafka is unavailable', async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const bound = server.address()
      const port = typeof bound === 'object' && bound ? bound.port : 0
      await new Promise((resolve) => server.close(resolve))
      const warnings: unknown[] = []
      const log = {
        debug: () => {},
        info: () => {},
        warn: (...line: unknown[]) => warnings.push(line),
        error: (...line: unknown[]) => warnings.push(line),
      }
      const broker = open({ brokers: [`127.0.0.1:${port}`] }, { callMillis: 2000, log })
      const begun = performance.now()
      for (const result of await Promise.all([
        broker.produce([record(topic, 'a', '1')])(),
        broker.produce([record(topic, 'a', '2')])(),
        broker.topics()(),
        broker.peek(topic, 0, 0n, 1)(),
      ]))
        expect(result).toMatchObject({
          left: { kind: 'Unavailable', reason: expect.stringContaining('Kafka') },
        })
      await expect(
        broker.consume({ group, topics: [topic] }, async (batch) => endOf(batch)),
      ).rejects.toMatchObject({ name: 'UnavailableError' })
      expect(performance.now() - begun).toBeLessThan(10_000)
      expect(warnings).toHaveLength(1)
      expect(() => broker.id).toThrow()
    })
  })
})
