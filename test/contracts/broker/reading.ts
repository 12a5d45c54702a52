import * as either from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { type From, readTopic } from '../../../src/app/read-topic.ts'
import type { BrokerRecord } from '../../../src/ports/broker.ts'
import { type BrokerFixture, orThrow, place, record } from './fixture.ts'

/** Reading without a group, page by page. */
export const reading = (fixture: BrokerFixture) => {
  const { make, produce, fill, peekAll, groupNow } = fixture
  const read = async (from: From, limit: number) => {
    const { broker, topic } = fixture.now()
    const page = await readTopic(broker, topic, from, limit)
    if (either.isLeft(page)) throw new Error(JSON.stringify(page.left))
    return page.right
  }
  const readOn = async (from: From, limit: number) => {
    const records: BrokerRecord[] = []
    for (let next = from; ; ) {
      const page = await read(next, limit)
      records.push(...page.records)
      expect(page.records.length).toBeLessThanOrEqual(limit)
      if (page.caughtUp) return { records, next: page.next }
      next = page.next
    }
  }

  describe('reading a topic without a group', () => {
    it('a topic that was never made is empty', async () => {
      expect(await read('start', 10)).toEqual({ records: [], next: new Map(), caughtUp: true })
    })

    it.each([1, 7, 1000])(
      'gives each record once, in the order of its partition, %i at a time',
      async (limit) => {
        await make(3)
        await fill(50)
        const { records } = await readOn('start', limit)
        const all = await peekAll(3)
        expect(records.map(place).toSorted()).toEqual(all.map(place).toSorted())
        for (const partition of [0, 1, 2]) {
          const offsets = records
            .filter((one) => one.partition === partition)
            .map(({ offset }) => Number(offset))
          expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
        }
      },
    )

    it('goes on with what came since, from the end or from offsets', async () => {
      await make(2)
      await fill(10)
      const end = await read('end', 10)
      expect(end).toMatchObject({ records: [], caughtUp: true })
      const { next } = await readOn('start', 4)
      expect(next).toEqual(end.next)
      await fill(6)
      expect((await readOn(next, 4)).records).toHaveLength(6)
      expect(
        (
          await readOn(
            new Map([
              [0, 0n],
              [1, end.next.get(1)!],
            ]),
            100,
          )
        ).records.length,
      ).toBe((await peekAll(2)).filter((one) => one.partition === 0 || one.offset >= end.next.get(1)!).length)
    })

    it('gives partitions with much and with little their part', async () => {
      await make(2)
      const { topic } = fixture.now()
      const places = await produce(Array.from({ length: 40 }, () => record(topic, 'much', 'x')))
      const much = places[0]!.partition
      let key = 0
      while ((await produce([record(topic, `k${key++}`, 'y')]))[0]!.partition === much);
      const { records, caughtUp } = await read('start', 10)
      expect(records).toHaveLength(10)
      expect(records.some(({ partition }) => partition !== much)).toBe(true)
      expect(caughtUp).toBe(false)
    })

    it('leaves no group behind', async () => {
      await make(2)
      await fill(5)
      const before = (await orThrow(fixture.now().broker.groups())).length
      await readOn('start', 2)
      expect((await orThrow(fixture.now().broker.groups())).length).toBe(before)
      expect((await groupNow()).members).toEqual([])
    })
  })
}
