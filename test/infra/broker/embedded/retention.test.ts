import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BatchHandler } from '../../../../src/ports/broker.ts'
import { endOf, orThrow } from '../../../contracts/broker/fixture.ts'
import { type ManualClock, manualClock } from '../../../fakes/manual-clock.ts'
import { brokerFile, fill, group, groupOf, type Opened, topic, until } from './fixture.ts'

const day = 24 * 3600 * 1000

describe('retention', () => {
  let file: ReturnType<typeof brokerFile>
  let clock: ManualClock
  let opened: Opened
  beforeEach(() => {
    file = brokerFile()
    clock = manualClock()
    opened = file.open({ clock, sweepMillis: 1e12 })
  })
  afterEach(() => file.remove())

  const make = (retentionMillis?: number) =>
    orThrow(
      opened.broker.ensureTopics([
        { name: topic, partitions: 1, ...(retentionMillis !== undefined && { retentionMillis }) },
      ]),
    )
  const offsets = async () => (await orThrow(opened.broker.topics()))[0]!.offsets[0]!
  const kept = async () => (await orThrow(opened.broker.peek(topic, 0, 0n, 10_000))).length
  const readUpTo = async (end: bigint, name = group) => {
    const handler: BatchHandler = async (batch) => {
      const here = endOf(batch)
      return here < end ? here : end
    }
    const consumption = await opened.broker.consume({ group: name, topics: [topic], batchSize: 100 }, handler)
    await until(async () => {
      const info = (await orThrow(opened.broker.groups())).find((one) => one.group === name)
      expect(info!.partitions[0]!.committed).toBe(end)
    })
    await consumption.stop()
  }

  it('never drops what a group has not read, however old', async () => {
    await make(day)
    await fill(opened, 100)
    await readUpTo(60n)
    await readUpTo(30n, 'slower')
    clock.advance(30 * day)
    expect(await opened.broker.sweep()).toBe(30)
    expect(await offsets()).toEqual({ partition: 0, start: 30n, end: 100n })
    expect(await kept()).toBe(70)
    await readUpTo(100n, 'slower')
    expect(await opened.broker.sweep()).toBe(30)
    expect((await groupOf(opened)).partitions).toMatchObject([{ committed: 60n, lag: 40n }])
    await readUpTo(100n)
    expect(await opened.broker.sweep()).toBe(40)
    expect(await offsets()).toEqual({ partition: 0, start: 100n, end: 100n })
  })

  it('never drops what is younger, and offsets go on behind what was dropped', async () => {
    await make(day)
    await fill(opened, 10)
    clock.advance(day)
    await fill(opened, 10)
    await readUpTo(20n)
    expect(await opened.broker.sweep()).toBe(0)
    clock.advance(1)
    expect(await opened.broker.sweep()).toBe(10)
    clock.advance(2 * day)
    expect(await opened.broker.sweep()).toBe(10)
    expect((await fill(opened, 1))[0]!.offset).toBe(20n)
  })

  it('keeps everything where none is set', async () => {
    await make()
    await fill(opened, 10)
    await readUpTo(10n)
    clock.advance(10_000 * day)
    expect(await opened.broker.sweep()).toBe(0)
    expect(await kept()).toBe(10)
  })

  it('drops more than a slice at one sweep, and a new group starts at what is left', async () => {
    await make(day)
    await fill(opened, 2500)
    clock.advance(2 * day)
    await fill(opened, 5)
    expect(await opened.broker.sweep()).toBe(2500)
    const firsts: bigint[] = []
    await opened.broker.consume({ group: 'new', topics: [topic] }, async (batch) => {
      firsts.push(batch.records[0]!.offset)
      return endOf(batch)
    })
    await until(() => expect(firsts).toEqual([2500n]))
  })

  it('happens by itself', async () => {
    opened = file.open({ clock, sweepMillis: 60_000 })
    await make(day)
    await fill(opened, 10)
    clock.advance(2 * day)
    await until(async () => {
      clock.advance(60_000)
      expect(await kept()).toBe(0)
    })
  })
})
