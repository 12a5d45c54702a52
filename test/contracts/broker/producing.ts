import * as either from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Broker } from '../../../src/ports/broker.ts'
import {
  type BrokerFixture,
  type BrokerUnderTest,
  bytesOf,
  numbers,
  orThrow,
  place,
  record,
} from './fixture.ts'

/** What goes in, and that it is kept as it came. */
export const producing = (fixture: BrokerFixture) => {
  const { until, make, produce, fill, peekAll, collect } = fixture
  let under: BrokerUnderTest
  let broker: Broker
  let topic: string
  beforeEach(() => {
    ;({ under, broker, topic } = fixture.now())
  })

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
      for (const records of byKey.values()) expect(new Set(records.map((one) => one.partition)).size).toBe(1)
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
}
