import { beforeEach, describe, expect, it } from 'vitest'
import type { Broker } from '../../../src/ports/broker.ts'
import {
  type BrokerFixture,
  type BrokerUnderTest,
  endOf,
  numbers,
  orThrow,
  place,
  record,
} from './fixture.ts'

/** What one member is handed, and what becomes of failures. */
export const consuming = (fixture: BrokerFixture) => {
  const { until, make, produce, fill, peekAll, groupNow, lag, collect, together } = fixture
  let under: BrokerUnderTest
  let broker: Broker
  let topic: string
  let group: string
  beforeEach(() => {
    ;({ under, broker, topic, group } = fixture.now())
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
}
