import { beforeEach, describe, expect, it } from 'vitest'
import type { Broker } from '../../../src/ports/broker.ts'
import { type BrokerFixture, type BrokerUnderTest, numbers, place, record } from './fixture.ts'

/** A group that had another name in an older version. */
export const renaming = (fixture: BrokerFixture) => {
  const { until, make, produce, fill, groupNow, lag, collect, together } = fixture
  let under: BrokerUnderTest
  let broker: Broker
  let topic: string
  let formerGroup: string
  let renamed: { readonly group: string; readonly formerGroup: string }
  beforeEach(() => {
    ;({ under, broker, topic, group: formerGroup } = fixture.now())
    renamed = { group: `${formerGroup}.renamed`, formerGroup }
  })

  /** Handled by the former group. */
  const handledBefore = async (count: number): Promise<ReadonlySet<string>> => {
    await fill(count)
    const before = await collect(broker)
    await until(async () => expect([before.distinct().size, await lag()]).toEqual([count, 0]))
    await before.stop()
    await until(async () => expect((await groupNow()).members).toEqual([]))
    return before.distinct()
  }
  const fillMore = (count: number) =>
    produce(numbers(count).map((n) => record(topic, `key-${n}`, `more-${n}`)))
  const lagOfRenamed = async () => (await groupNow(renamed.group)).partitions.map(({ lag }) => Number(lag))

  describe('a group with another name than before', () => {
    it('goes on where it stood: nothing again, and nothing lost', async () => {
      await make(4)
      const handled = await handledBefore(60)
      await fillMore(40)
      const after = await collect(await under.other(), renamed)
      await until(() => expect(after.distinct().size).toBe(40))
      expect(after.records().filter((one) => handled.has(place(one)))).toEqual([])
      await until(async () => expect(await lagOfRenamed()).toEqual([0, 0, 0, 0]))
      await after.stop()
      expect((await groupNow()).partitions).toEqual([])
    })

    it('stays where it has come to, should the former one be there still: a crash may have left both', async () => {
      await make(2)
      await handledBefore(10)
      const { group } = renamed
      await fillMore(20)
      const first = await collect(broker, { group })
      await until(async () => expect([first.distinct().size, ...(await lagOfRenamed())]).toEqual([30, 0, 0]))
      await first.stop()
      await until(async () => expect((await groupNow(group)).members).toEqual([]))
      const [more] = await produce([record(topic, 'key', 'the last')])
      const again = await collect(await under.other(), renamed)
      await until(() => expect(again.distinct().size).toBe(1))
      expect(again.records().map(({ partition, offset }) => [partition, offset])).toEqual([
        [more?.partition, more?.offset],
      ])
      await again.stop()
      expect((await groupNow()).partitions).toEqual([])
    })

    it('begins where groups begin, where there was none before', async () => {
      await make(2)
      await fill(10)
      const first = await collect(broker, renamed)
      await until(() => expect(first.distinct().size).toBe(10))
      await first.stop()
    })

    it('loses nothing while a member of an older version is at work, and handles nothing from before', async () => {
      await make(4)
      const handled = await handledBefore(20)
      const old = await collect(broker)
      await until(async () => expect((await groupNow()).members).toHaveLength(1))
      const young = await collect(await under.other(), renamed)
      await fillMore(40)
      await until(() => expect(together([old, young]).size).toBe(40))
      expect([...old.records(), ...young.records()].filter((one) => handled.has(place(one)))).toEqual([])
      await old.stop()
      await fillMore(10)
      await until(async () => expect(await lagOfRenamed()).toEqual([0, 0, 0, 0]))
      expect(together([old, young]).size).toBe(50)
      await young.stop()
    })
  })
}
