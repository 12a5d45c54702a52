import * as either from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  BatchHandler,
  Broker,
  BrokerFailure,
  BrokerRecord,
  ConsumeOptions,
  ProducerRecord,
  RecordBatch,
} from '../../src/ports/broker.ts'

export interface BrokerUnderTest {
  readonly broker: Broker
  /** Another client of the same topics and groups, as a second process would have it. */
  readonly other: () => Promise<Broker>
  readonly dispose: () => Promise<void>
  /** Most bytes that a record may have. */
  readonly maxMessageBytes: number
  /** Milliseconds within which a group has shared its partitions anew. */
  readonly patience: number
}

export const orThrow = async <A>(task: TaskEither<BrokerFailure, A>): Promise<A> => {
  const result = await task()
  if (either.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

export const record = (topic: string, key: string | null, value: string | Uint8Array): ProducerRecord => ({
  topic,
  key,
  headers: {},
  value,
})

export const endOf = (batch: RecordBatch): bigint => batch.records.at(-1)!.offset + 1n

const bytesOf = (value: string | Uint8Array) => Buffer.from(value as string).toString('hex')
const place = ({ partition, offset }: BrokerRecord) => `${partition}@${offset}`
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/**
 * What every broker must do, whatever keeps the topics. Handlers may see a record twice (at least once), so tests
 * ask for order and completeness, and for exactly once only where the broker promises it: below a committed offset.
 */
export const brokerContract = (name: string, open: () => Promise<BrokerUnderTest>) => {
  describe(`broker contract: ${name}`, () => {
    let under: BrokerUnderTest
    let broker: Broker
    let topic: string
    let group: string

    beforeEach(async () => {
      under = await open()
      broker = under.broker
      topic = `contract-${uuid()}`
      group = `group-${uuid()}`
    })
    afterEach(() => under.dispose())

    const until = <A>(condition: () => A | Promise<A>) =>
      vi.waitFor(condition, { timeout: under.patience, interval: 10 })
    const make = (partitions: number) => orThrow(broker.ensureTopics([{ name: topic, partitions }]))
    const produce = (records: readonly ProducerRecord[]) => orThrow(broker.produce(records))
    const fill = (count: number, keys = 20) =>
      produce(numbers(count).map((n) => record(topic, `key-${n % keys}`, String(n))))
    const peekAll = async (partitions: number) => {
      const found = await Promise.all(
        numbers(partitions).map((n) => orThrow(broker.peek(topic, n, 0n, 1_000_000))),
      )
      return found.flat()
    }
    const groupNow = async (of = group) =>
      (await orThrow(broker.groups())).find((one) => one.group === of) ?? {
        group: of,
        members: [],
        partitions: [],
      }
    const lag = async () =>
      (await groupNow()).partitions.reduce((sum, partition) => sum + Number(partition.lag), 0)

    /** A consumption that keeps all it was handed. */
    const collect = async (client: Broker, options: Partial<ConsumeOptions> = {}, handler?: BatchHandler) => {
      const batches: RecordBatch[] = []
      const consumption = await client.consume({ group, topics: [topic], ...options }, (batch, signal) => {
        batches.push(batch)
        return handler ? handler(batch, signal) : Promise.resolve(endOf(batch))
      })
      return {
        ...consumption,
        batches,
        records: () => batches.flatMap((batch) => batch.records),
        /** Each record once, by place. */
        distinct: () => new Set(batches.flatMap((batch) => batch.records).map(place)),
      }
    }

    const together = (consumers: readonly { distinct(): Set<string> }[]) =>
      new Set(consumers.flatMap((one) => [...one.distinct()]))

    describe('topics', () => {
      it('are made once and keep their partitions', async () => {
        await make(3)
        await orThrow(broker.ensureTopics([{ name: topic, partitions: 5 }]))
        const info = (await orThrow(broker.topics())).find((one) => one.name === topic)
        expect(info).toMatchObject({ partitions: 3 })
        expect(info!.offsets).toEqual(numbers(3).map((partition) => ({ partition, start: 0n, end: 0n })))
      })

      it('are the same for every client, and so is the id', async () => {
        await make(2)
        const other = await under.other()
        await fill(10)
        const seen = (await orThrow(other.topics())).find((one) => one.name === topic)
        expect(seen!.offsets.reduce((sum, { end }) => sum + end, 0n)).toBe(10n)
        expect(other.id).toBe(broker.id)
        expect(broker.id).not.toBe('')
      })
    })

    describe('produce', () => {
      it('gives each record the next offset of its partition, in the order given', async () => {
        await make(3)
        const places = [...(await fill(60)), ...(await fill(60))]
        expect(places).toHaveLength(120)
        for (const partition of numbers(3)) {
          const offsets = places.filter((one) => one.partition === partition).map((one) => one.offset)
          expect(offsets).toEqual(numbers(offsets.length).map(BigInt))
        }
        const kept = new Map((await peekAll(3)).map((one) => [place(one), Buffer.from(one.value).toString()]))
        places.forEach((one, i) => {
          expect(kept.get(`${one.partition}@${one.offset}`)).toBe(String(i % 60))
        })
      })

      it('keeps order per key, one key in one partition', async () => {
        await make(4)
        await Promise.all(numbers(10).map(() => fill(40, 8)))
        const byKey = Map.groupBy(await peekAll(4), (one) => one.key)
        expect(byKey.size).toBe(8)
        for (const records of byKey.values())
          expect(new Set(records.map((one) => one.partition)).size).toBe(1)
      })

      it('sends a key where Kafka’s default partitioner sends it', async () => {
        await make(10)
        // Murmur2 as published in Kafka's own tests: -973932308, -790332482, -985981536, -1486304829.
        const keys = ['21', 'foobar', 'a-little-bit-long-string', 'a-little-bit-longer-string']
        const places = await produce(keys.map((key) => record(topic, key, '')))
        expect(places.map((one) => one.partition)).toEqual(
          [-973932308, -790332482, -985981536, -1486304829].map((hash) => (hash & 0x7fffffff) % 10),
        )
      })

      it('takes records without a key and spreads them', async () => {
        await make(3)
        const places = await produce(numbers(100).map((n) => record(topic, null, String(n))))
        expect(new Set(places.map((one) => one.partition)).size).toBe(3)
        expect((await peekAll(3)).every((one) => one.key === null)).toBe(true)
      })

      it('refuses an unknown topic, and with it the whole call', async () => {
        await make(1)
        const result = await broker.produce([record(topic, 'a', '1'), record(`${topic}-not`, 'a', '2')])()
        expect(result).toEqual(either.left({ kind: 'UnknownTopic', topic: `${topic}-not` }))
        expect(await peekAll(1)).toEqual([])
      })

      it('refuses a record that is too large, names both numbers, and with it the whole call', async () => {
        await make(1)
        const limit = under.maxMessageBytes
        const result = await broker.produce([
          record(topic, null, '1'),
          record(topic, null, 'x'.repeat(limit + 1)),
        ])()
        expect(result).toMatchObject({ _tag: 'Left', left: { kind: 'TooLarge', limit } })
        expect(either.isLeft(result) && result.left.kind === 'TooLarge' && result.left.bytes).toBeGreaterThan(
          limit,
        )
        expect(await peekAll(1)).toEqual([])
        expect((await produce([record(topic, null, 'x'.repeat(limit - 1000))]))[0]!.offset).toBe(0n)
      })

      it('of nothing does nothing', async () => {
        expect(await produce([])).toEqual([])
      })

      it('keeps values byte for byte, keys and headers as they are', async () => {
        await make(1)
        const values: (string | Uint8Array)[] = [
          'plain',
          '',
          new Uint8Array(0),
          'zero\0inside',
          '\ufeffmark first',
          'Żółć 🗃️ 資料',
          Buffer.from('{"json":"as bytes"}'),
          Uint8Array.of(0xff, 0xfe, 0x00, 0x80),
          Uint8Array.of(0xed, 0xa0, 0x80),
          Uint8Array.from(numbers(256)),
        ]
        const headers = { ce_id: '1', ce_sübject: 'Żółć "quoted"', empty: '' }
        await produce(values.map((value) => ({ topic, key: 'ключ', headers, value })))
        const peeked = await peekAll(1)
        const consumer = await collect(broker)
        await until(() => expect(consumer.records().length).toBeGreaterThanOrEqual(values.length))
        for (const seen of [peeked, consumer.records()]) {
          expect(seen.map((one) => bytesOf(one.value))).toEqual(values.map(bytesOf))
          for (const one of seen) {
            expect(one.headers).toEqual(headers)
            expect(one.key).toBe('ключ')
            expect(new Date(one.timestamp).toISOString()).toBe(one.timestamp)
          }
        }
        await consumer.stop()
      })

      it('does not look at the bytes again once the call was made', async () => {
        await make(1)
        const value = Uint8Array.of(0xff, 1, 2, 3)
        const producing = produce([record(topic, null, value)])
        value.fill(9)
        await producing
        expect(bytesOf((await peekAll(1))[0]!.value)).toBe('ff010203')
      })
    })

    describe('peek', () => {
      it('shows at most so many from an offset on, and nothing behind the end', async () => {
        await make(1)
        await fill(10)
        const seen = await orThrow(broker.peek(topic, 0, 4n, 3))
        expect(seen.map((one) => one.offset)).toEqual([4n, 5n, 6n])
        expect(await orThrow(broker.peek(topic, 0, 10n, 3))).toEqual([])
        expect(await broker.peek(`${topic}-not`, 0, 0n, 1)()).toMatchObject({
          left: { kind: 'UnknownTopic' },
        })
      })
    })

    describe('consume', () => {
      it('starts a new group at the beginning, in order within each partition, in batches no larger than asked', async () => {
        await make(3)
        await fill(200)
        const consumer = await collect(broker, { batchSize: 7 })
        await until(() => expect(consumer.distinct().size).toBe(200))
        expect(Math.max(...consumer.batches.map((batch) => batch.records.length))).toBeLessThanOrEqual(7)
        for (const [partition, records] of Map.groupBy(consumer.records(), (one) => one.partition)) {
          expect(records.map((one) => one.offset)).toEqual(numbers(records.length).map(BigInt))
          expect(records.every((one) => one.partition === partition && one.topic === topic)).toBe(true)
        }
        await consumer.stop()
      })

      it('hands over what is produced while it waits, whoever produces', async () => {
        await make(2)
        const consumer = await collect(broker)
        const other = await under.other()
        for (const n of numbers(5)) {
          await orThrow((n % 2 === 0 ? broker : other).produce([record(topic, `key-${n}`, String(n))]))
          await until(() => expect(consumer.distinct().size).toBe(n + 1))
        }
        await consumer.stop()
      })

      it('gives every group everything', async () => {
        await make(2)
        await fill(50)
        const one = await collect(broker)
        const two = await collect(broker, { group: `${group}-2` })
        await until(() => expect([one.distinct().size, two.distinct().size]).toEqual([50, 50]))
        await Promise.all([one.stop(), two.stop()])
      })

      it('reads several topics in one group', async () => {
        await make(2)
        await orThrow(broker.ensureTopics([{ name: `${topic}-2`, partitions: 1 }]))
        await fill(10)
        await produce([record(`${topic}-2`, 'a', 'b')])
        const consumer = await collect(broker, { topics: [topic, `${topic}-2`] })
        await until(() => expect(new Set(consumer.records().map((one) => one.topic)).size).toBe(2))
        await until(() =>
          expect(consumer.records().filter((one) => one.topic === topic).length).toBeGreaterThanOrEqual(10),
        )
        await consumer.stop()
      })

      it('goes on behind what was committed: a committed record never comes again', async () => {
        await make(3)
        await fill(100)
        const first = await collect(broker)
        await until(async () => expect([first.distinct().size, await lag()]).toEqual([100, 0]))
        await first.stop()
        await fill(30)
        const second = await collect(await under.other())
        await until(() => expect(second.distinct().size).toBe(30))
        expect(together([first, second]).size).toBe(130)
        await second.stop()
      })

      it('handles 10,000 records in flat batches, each once while nothing fails', async () => {
        await make(4)
        for (const _ of numbers(10)) await fill(1000, 97)
        const consumer = await collect(broker)
        await until(async () => expect([consumer.distinct().size, await lag()]).toEqual([10_000, 0]))
        expect(consumer.records()).toHaveLength(10_000)
        expect(Math.max(...consumer.batches.map((batch) => batch.records.length))).toBeLessThanOrEqual(500)
        await consumer.stop()
      })

      it('refuses a topic that does not exist and names it', async () => {
        await expect(collect(broker)).rejects.toThrow(topic)
      })
    })

    describe('failure', () => {
      it('delivers a batch again when its handler throws, whatever it throws, and skips nothing', async () => {
        await make(1)
        await fill(10)
        const faults = [new Error('away'), new TypeError('a bug'), new SyntaxError('not JSON'), 'a string']
        const consumer = await collect(broker, {}, async (batch) => {
          const fault = faults.shift()
          if (fault) throw fault
          return endOf(batch)
        })
        await until(async () => expect([faults.length, await lag()]).toEqual([0, 0]))
        const firsts = consumer.batches.map((batch) => batch.records[0]!.offset)
        expect(firsts.slice(0, 5)).toEqual([0n, 0n, 0n, 0n, 0n])
        await consumer.stop()
      })

      it('in one partition does not hold up the others', async () => {
        await make(3)
        await fill(90)
        const others = (await peekAll(3)).filter((one) => one.partition !== 0).length
        expect(others).toBeLessThan(90)
        const finished = new Set<string>()
        const consumer = await collect(broker, { batchSize: 5 }, async (batch) => {
          if (batch.partition === 0) throw new Error('away')
          for (const one of batch.records) finished.add(place(one))
          return endOf(batch)
        })
        await until(() => expect(finished.size).toBe(others))
        await consumer.stop()
      })

      it('half-way commits what was finished and delivers the rest again', async () => {
        await make(1)
        await fill(10)
        let first = true
        const consumer = await collect(broker, { batchSize: 10 }, async (batch) => {
          if (!first) return endOf(batch)
          first = false
          return 4n
        })
        await until(async () => expect([consumer.batches.length > 1, await lag()]).toEqual([true, 0]))
        expect(consumer.batches[1]!.records[0]!.offset).toBe(4n)
        await consumer.stop()
      })

      it('never commits past unfinished work: the next member starts right there', async () => {
        await make(1)
        await fill(10)
        const failing = await collect(broker, { batchSize: 3 }, async (batch) => {
          if (batch.records[0]!.offset >= 3n) throw new Error('away')
          return endOf(batch)
        })
        await until(() => expect(failing.batches.some((batch) => batch.records[0]!.offset === 3n)).toBe(true))
        await failing.stop()
        expect((await groupNow()).partitions).toMatchObject([{ committed: 3n, end: 10n, lag: 7n }])
        const next = await collect(await under.other())
        await until(() => expect(next.distinct().size).toBe(7))
        expect(next.records()[0]!.offset).toBe(3n)
        await next.stop()
      })
    })

    describe('group', () => {
      const owners = async () => {
        const { partitions } = await groupNow()
        return new Set(partitions.map((partition) => partition.member))
      }

      it('shares its partitions anew when a member comes and when one goes', async () => {
        await make(4)
        const one = await collect(broker)
        await until(async () => expect(await owners()).toEqual(new Set([one.member])))
        const two = await collect(await under.other())
        await until(async () => {
          const { members, partitions } = await groupNow()
          expect(members.map((member) => member.partitions.length)).toEqual([2, 2])
          expect(new Set(partitions.map((partition) => partition.member))).toEqual(
            new Set([one.member, two.member]),
          )
        })
        await fill(200, 50)
        await until(() => expect(together([one, two]).size).toBe(200))
        expect(Math.min(one.distinct().size, two.distinct().size)).toBeGreaterThan(0)
        await one.stop()
        await until(async () => expect(await owners()).toEqual(new Set([two.member])))
        const before = two.distinct().size
        await fill(200, 50)
        await until(() => expect(two.distinct().size).toBe(before + 200))
        await two.stop()
        await until(async () => expect((await groupNow()).members).toEqual([]))
      })

      it('loses nothing and keeps order while members come and go', async () => {
        await make(6)
        const clients = [broker, await under.other(), await under.other()]
        const handled = new Map<number, bigint[]>()
        const join = (client: Broker) =>
          collect(client, { batchSize: 20 }, async (batch) => {
            const offsets = handled.get(batch.partition) ?? []
            handled.set(batch.partition, [...offsets, ...batch.records.map((one) => one.offset)])
            return endOf(batch)
          })
        const members = [await join(clients[0]!)]
        const total = 1200
        for (const step of numbers(6)) {
          await fill(total / 6, 40)
          if (step === 1) members.push(await join(clients[1]!))
          if (step === 2) members.push(await join(clients[2]!))
          if (step === 4) await members[0]!.stop()
        }
        await until(async () => expect([together(members).size, await lag()]).toEqual([total, 0]))
        // Some may have come twice; nobody saw a record before all that stood in front of it had been seen.
        for (const offsets of handled.values()) {
          const firstSeen = [...new Set(offsets)]
          expect(firstSeen).toEqual(numbers(firstSeen.length).map(BigInt))
        }
        await Promise.all(members.map((one) => one.stop()))
      })

      it('tells lag, committed offsets and members', async () => {
        await make(1)
        await fill(10)
        const consumer = await collect(broker, { batchSize: 4 }, async (batch, signal) => {
          if (batch.records[0]!.offset < 4n) return endOf(batch)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          return batch.records[0]!.offset
        })
        await until(async () =>
          expect((await groupNow()).partitions).toEqual([
            { topic, partition: 0, committed: 4n, end: 10n, lag: 6n, member: consumer.member },
          ]),
        )
        const { members } = await groupNow()
        expect(members).toMatchObject([{ member: consumer.member, partitions: [`${topic}-0`] }])
        expect(Date.parse(members[0]!.aliveUntil)).toBeGreaterThan(Date.parse('2000-01-01'))
        await consumer.stop()
      })
    })

    describe('stop', () => {
      /** Works on the batch until told to stop early, and then says that it finished two records. */
      const busy = async (batch: RecordBatch, signal: AbortSignal) => {
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return batch.records[0]!.offset + 2n
      }

      it('tells the batch under way, waits for it, commits what it finished', async () => {
        await make(1)
        await fill(10)
        const consumer = await collect(broker, {}, busy)
        await until(() => expect(consumer.batches).toHaveLength(1))
        await consumer.stop()
        expect((await groupNow()).partitions).toMatchObject([{ committed: 2n, lag: 8n }])
        await consumer.stop()
        expect(consumer.batches).toHaveLength(1)
      })

      it('comes with close', async () => {
        await make(1)
        await fill(10)
        const other = await under.other()
        const consumer = await collect(other, {}, busy)
        await until(() => expect(consumer.batches).toHaveLength(1))
        await other.close()
        expect((await groupNow()).partitions).toMatchObject([{ committed: 2n, lag: 8n }])
      })
    })
  })
}
