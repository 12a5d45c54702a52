import kafkajs, { type Admin } from 'kafkajs'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type KafkaOptions, openKafkaBroker } from '../../infra/broker/kafka/broker.ts'
import type { Broker, RecordBatch } from '../../src/ports/broker.ts'
import { endOf, numbers, orThrow, place, record } from '../contracts/broker/fixture.ts'
import { useKafka } from './own-kafka.ts'
import { server } from './servers.ts'

const kafka = server('kafka')
const brokers = 'absent' in kafka ? [] : kafka.address.split(',')
/** The shortest that Kafka allows. */
const sessionMillis = 6000
const topic = 'work'
const group = 'workers'

describe.skipIf('absent' in kafka)('kafka', () => {
  let prefix: string
  let opened: Broker[]
  let admin: Admin
  const open = (options: KafkaOptions = {}, at = brokers) => {
    const settings = {
      brokers: at,
      clientId: 'fonds-test',
      topicPrefix: prefix,
      replication: -1,
      compression: 'none',
      lingerMillis: 2,
    } as const
    const broker = openKafkaBroker(settings, { sessionMillis, ...options })
    opened.push(broker)
    return broker
  }
  const until = <A>(condition: () => A | Promise<A>) => vi.waitFor(condition, { interval: 20 })
  const make = (broker: Broker, partitions: number) =>
    orThrow(broker.ensureTopics([{ name: topic, partitions }]))
  const fill = (broker: Broker, count: number) =>
    orThrow(broker.produce(numbers(count).map((n) => record(topic, `key-${n}`, String(n)))))
  const lagOf = async (broker: Broker) => {
    const [found] = await orThrow(broker.groups())
    return found?.partitions.reduce((sum, { lag }) => sum + Number(lag), 0)
  }
  const consume = (broker: Broker, seen: string[]) =>
    broker.consume({ group, topics: [topic] }, async (batch) => {
      seen.push(...batch.records.map(place))
      return endOf(batch)
    })
  const lines = () => {
    const told: string[] = []
    const tell =
      (level: string) =>
      (...[first, text]: readonly unknown[]) =>
        void told.push(`${level} ${text ?? first} ${JSON.stringify(first)}`)
    return { told, log: { debug: () => {}, info: tell('info'), warn: tell('warn'), error: tell('error') } }
  }

  beforeEach(async () => {
    prefix = `${uuid()}-`
    opened = []
    admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
  })
  afterEach(async () => {
    await Promise.all(opened.map((broker) => broker.close()))
    await admin.disconnect()
  })

  it('goes on with other partitions while one handler call takes long', async () => {
    const broker = open()
    await make(broker, 2)
    const { promise: slow, resolve: end } = Promise.withResolvers<void>()
    const slowBatches: RecordBatch[] = []
    const finished: string[] = []
    const consumption = await broker.consume({ group, topics: [topic] }, async (batch) => {
      if (batch.partition === 0) {
        slowBatches.push(batch)
        await slow
      }
      finished.push(...batch.records.map(place))
      return endOf(batch)
    })
    let others = 0
    for (const _ of numbers(5)) {
      const places = await fill(broker, 20)
      others += places.filter(({ partition }) => partition === 1).length
      await until(() => expect(finished).toHaveLength(others))
      await until(() => expect(slowBatches).toHaveLength(1))
    }
    end()
    await until(() => expect(finished).toHaveLength(100))
    await until(async () => expect(await lagOf(broker)).toBe(0))
    expect(new Set(finished).size).toBe(100)
    const kept = finished.filter((one) => one.startsWith('0@'))
    expect(kept).toEqual(kept.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))))
    await consumption.stop()
  })

  it('goes on from the earliest record kept where the next one is gone, and says so', async () => {
    const { told, log } = lines()
    const broker = open({ log })
    await make(broker, 1)
    await fill(broker, 10)
    const seen: string[] = []
    const first = await consume(broker, seen)
    await until(async () => expect(await lagOf(broker)).toBe(0))
    await first.stop()
    await fill(broker, 10)
    // kafkajs deletes only of topics that it has looked at.
    await admin.fetchTopicOffsets(prefix + topic)
    await admin.deleteTopicRecords({
      topic: prefix + topic,
      partitions: [{ partition: 0, offset: '15' }],
    })
    await until(async () => expect(await lagOf(broker)).toBe(5))
    const second = await consume(broker, seen)
    await until(() => expect(seen).toHaveLength(15))
    expect(seen.slice(10)).toEqual(numbers(5).map((n) => `0@${15 + n}`))
    const loud = told.filter((line) => line.startsWith('error'))
    expect(loud).toHaveLength(1)
    expect(loud[0]).toContain(`${topic}-0`)
    expect(loud[0]).toContain(group)
    await until(async () => expect(await lagOf(broker)).toBe(0))
    await second.stop()
  })

  it('takes up partitions that are added, from their first record on', async () => {
    const broker = open()
    await make(broker, 1)
    const seen: string[] = []
    const consumption = await consume(broker, seen)
    await admin.createPartitions({ topicPartitions: [{ topic: prefix + topic, count: 3 }] })
    const other = open()
    await fill(other, 30)
    // Somebody who joins has the group shared anew; without that, kafkajs looks every five minutes.
    const second = await consume(other, seen)
    await until(() => expect(new Set(seen).size).toBe(30))
    await until(async () => expect(await lagOf(broker)).toBe(0))
    await Promise.all([consumption.stop(), second.stop()])
  })

  it('names a topic that was deleted under it, and goes on when it is made again', async () => {
    const { told, log } = lines()
    const broker = open({ log })
    await make(broker, 1)
    await fill(broker, 3)
    const seen: string[] = []
    const consumption = await consume(broker, seen)
    await until(() => expect(seen).toHaveLength(3))
    await admin.deleteTopics({ topics: [prefix + topic] })
    await until(() => expect(told.some((line) => line.startsWith('error'))).toBe(true))
    expect(told.find((line) => line.startsWith('error'))).toContain(topic)
    expect(told.filter((line) => line.includes('Kafka is unavailable'))).toEqual([])
    await make(broker, 1)
    await fill(open(), 4)
    await until(() => expect(seen).toHaveLength(7))
    await consumption.stop()
  })

  it('ends in short time though the group is being shared anew', async () => {
    const holds = open()
    await make(holds, 1)
    await fill(holds, 1)
    let holding = false
    const { promise: slow, resolve: end } = Promise.withResolvers<void>()
    const first = await holds.consume({ group, topics: [topic] }, async (batch) => {
      holding = true
      await slow
      return endOf(batch)
    })
    await until(() => expect(holding).toBe(true))
    const broker = open({ stopMillis: 500, callMillis: 2000 })
    const joining = consume(broker, [])
    await until(async () => expect((await orThrow(holds.groups()))[0]?.members).toHaveLength(2))
    const begun = performance.now()
    await broker.close()
    expect(performance.now() - begun).toBeLessThan(5000)
    end()
    await joining
    await first.stop()
  })

  it('leaves the group at once when it hangs, and comes back when it does not hang any more', async () => {
    const { told, log } = lines()
    const broker = open({ hungMillis: 2000, stopMillis: 500, log })
    await make(broker, 2)
    await fill(broker, 20)
    const { promise: slow, resolve: end } = Promise.withResolvers<void>()
    const seen: string[] = []
    let hung = 0
    const consumption = await broker.consume({ group, topics: [topic] }, async (batch) => {
      if (batch.partition === 0 && hung++ === 0) await slow
      else seen.push(...batch.records.map(place))
      return endOf(batch)
    })
    // The other partition has work all the time: the member as a whole looks alive.
    const going = setInterval(() => void broker.produce([record(topic, 'key-1', 'x')])(), 100)
    try {
      await until(async () => expect((await orThrow(broker.groups()))[0]?.members).toEqual([]))
      const other: string[] = []
      const second = await consume(open(), other)
      await until(() => expect(other.some((one) => one.startsWith('0@'))).toBe(true))
      await second.stop()
      seen.length = 0
      end()
      await until(() => expect(seen.length).toBeGreaterThan(0))
      expect(told.filter((line) => line.startsWith('error'))).toHaveLength(1)
    } finally {
      clearInterval(going)
      await consumption.stop()
    }
  })

  it('shares partitions between two consumptions of one group in one process', async () => {
    const broker = open()
    await make(broker, 4)
    const [one, two]: string[][] = [[], []]
    const both = await Promise.all([consume(broker, one!), consume(broker, two!)])
    await until(async () => {
      const [found] = await orThrow(broker.groups())
      expect(found?.members.map(({ partitions }) => partitions.length)).toEqual([2, 2])
    })
    await fill(broker, 100)
    await until(() => expect(new Set([...one!, ...two!]).size).toBe(100))
    await until(async () => expect(await lagOf(broker)).toBe(0))
    expect([one!.length > 0, two!.length > 0]).toEqual([true, true])
    await both[0].stop()
    await fill(broker, 100)
    await until(() => expect(new Set([...one!, ...two!]).size).toBe(200))
    await both[1].stop()
  })

  it('waits for a Kafka that goes away while it starts, then goes on where its former group stands', async ({
    skip,
  }) => {
    const own = await useKafka(skip)
    const { told, log } = lines()
    const openOwn = () => open({ log, callMillis: 5000 }, [own.address])
    const before = openOwn()
    await make(before, 2)
    await fill(before, 20)
    const handled: string[] = []
    const former = await consume(before, handled)
    await until(async () => expect(await lagOf(before)).toBe(0))
    await former.stop()
    await before.close()

    const broker = openOwn()
    await orThrow(broker.topics())
    await own.kill()
    const seen: string[] = []
    const joining = broker.consume(
      { group: 'renamed', formerGroup: group, topics: [topic] },
      async (batch) => {
        seen.push(...batch.records.map(place))
        return endOf(batch)
      },
    )
    await until(() => expect(told).toEqual([expect.stringContaining('warn Kafka is unavailable')]))
    await own.start()
    const consumption = await joining
    const more = await fill(broker, 10)
    await until(() => expect(new Set(seen).size).toBe(10))
    expect(new Set(seen)).toEqual(new Set(more.map(place)))
    expect(handled).toHaveLength(20)
    await until(async () =>
      expect((await orThrow(broker.groups())).map((one) => one.group)).toEqual(['renamed']),
    )
    await consumption.stop()
    await broker.close()
  })

  it('ends in bounded time while Kafka is unavailable, with a batch under way', async ({ skip }) => {
    const own = await useKafka(skip)
    const settings = {
      brokers: [own.address],
      clientId: 'fonds-test',
      topicPrefix: prefix,
      replication: -1,
      compression: 'none',
      lingerMillis: 2,
    } as const
    const broker = openKafkaBroker(settings, { sessionMillis, callMillis: 3000, stopMillis: 3000 })
    await make(broker, 2)
    await fill(broker, 20)
    let working = 0
    await broker.consume({ group, topics: [topic] }, async (batch, signal) => {
      working++
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return batch.records[0]!.offset + 1n
    })
    await until(() => expect(working).toBe(2))
    await own.kill()
    const producing = broker.produce([record(topic, 'a', '1')])()
    const begun = performance.now()
    await broker.close()
    expect(performance.now() - begun).toBeLessThan(12_000)
    expect(await producing).toMatchObject({ left: { kind: 'Unavailable' } })
  })
})
