import { beforeEach, describe, expect, it } from 'vitest'
import type { Broker, RecordBatch } from '../../../src/ports/broker.ts'
import { type BrokerFixture, type BrokerUnderTest, endOf, numbers } from './fixture.ts'

/** Groups of several members, and the end of a membership. */
export const sharing = (fixture: BrokerFixture) => {
  const { until, make, fill, groupNow, lag, collect, together } = fixture
  let under: BrokerUnderTest
  let broker: Broker
  let topic: string
  beforeEach(() => {
    ;({ under, broker, topic } = fixture.now())
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
}
