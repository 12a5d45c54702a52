import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endOf, orThrow, record } from '../../../contracts/broker/fixture.ts'
import { manualClock } from '../../../fakes/manual-clock.ts'
import { brokerFile, fill, group, groupOf, topic, until } from './fixture.ts'

describe('embedded broker', () => {
  let file: ReturnType<typeof brokerFile>
  beforeEach(() => {
    file = brokerFile()
  })
  afterEach(() => file.remove())

  const make = (opened: ReturnType<typeof file.open>, partitions: number) =>
    orThrow(opened.broker.ensureTopics([{ name: topic, partitions }]))

  it('two processes that produce at once get every offset once, without gaps', async () => {
    const [one, two] = [file.open(), file.open()]
    await make(one, 3)
    const places = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        orThrow(
          (n % 2 === 0 ? one : two).broker.produce([
            record(topic, `key-${n}`, 'a'),
            record(topic, `key-${n}`, 'b'),
          ]),
        ),
      ),
    )
    for (const records of Map.groupBy(places.flat(), (place) => place.partition).values())
      expect(records.map((one) => Number(one.offset)).sort((a, b) => a - b)).toEqual(
        records.map((_, offset) => offset),
      )
    for (const [first, second] of places) expect(second!.offset).toBe(first!.offset + 1n)
  })

  it('work of the same transaction that fails and is rolled back leaves no gap and no double', async () => {
    const opened = file.open()
    await make(opened, 1)
    const results = await Promise.allSettled([
      fill(opened, 3),
      opened.db.commit.submit(() => {
        throw new Error('not ours')
      }),
      fill(opened, 3),
    ])
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const kept = await orThrow(opened.broker.peek(topic, 0, 0n, 100))
    expect(kept.map((one) => one.offset)).toEqual([0n, 1n, 2n, 3n, 4n, 5n])
  })

  it('records, topics and offsets outlive the process', async () => {
    const before = file.open()
    await make(before, 2)
    await fill(before, 20)
    const consumption = await before.broker.consume({ group, topics: [topic] }, async (b) => endOf(b))
    await until(async () =>
      expect((await groupOf(before)).partitions.every((one) => one.lag === 0n)).toBe(true),
    )
    await consumption.stop()
    const topics = await orThrow(before.broker.topics())
    const groups = await orThrow(before.broker.groups())
    await before.close()
    const after = file.open()
    expect(after.broker.id).toBe(before.broker.id)
    expect(await orThrow(after.broker.topics())).toEqual(topics)
    expect(await orThrow(after.broker.groups())).toEqual(groups)
  })

  it.each([
    ['below the start of the batch', -1n],
    ['beyond the end of the batch', 11n],
  ])('a handler that commits %s is reported, and nothing is committed', async (_, wrong) => {
    const opened = file.open()
    await make(opened, 1)
    await fill(opened, 10)
    let calls = 0
    await opened.broker.consume({ group, topics: [topic] }, async (batch) => {
      expect(batch.records[0]!.offset).toBe(0n)
      return calls++ === 0 ? wrong : 0n
    })
    await until(() => expect(calls).toBeGreaterThan(1))
    expect(opened.errors[0]).toMatchObject({
      name: 'RangeError',
      message: `things-0: the handler asked to commit offset ${wrong} after a batch of 0 to 9; valid are 0 to 10`,
    })
    expect((await groupOf(opened)).partitions).toMatchObject([{ committed: 0n }])
  })

  it('pauses longer after each failure, up to 5 s, jittered, and starts over after a success', async () => {
    const clock = manualClock()
    const opened = file.open({ clock, sessionMillis: 1e9, sweepMillis: 1e9 })
    await make(opened, 1)
    await fill(opened, 2)
    let failing = 9
    await opened.broker.consume({ group, topics: [topic], batchSize: 1 }, async (batch) => {
      if (batch.records[0]!.offset === 0n && failing-- > 0) throw new Error('away')
      if (batch.records[0]!.offset === 1n) throw new Error('away')
      return endOf(batch)
    })
    const pauses = () => clock.sleeps.filter((millis) => millis <= 5000)
    await until(() => {
      clock.advance(5000)
      expect(pauses().length).toBeGreaterThan(9)
    })
    const longest = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 100]
    longest.forEach((most, i) => {
      expect(pauses()[i]).toBeLessThanOrEqual(most)
      expect(pauses()[i]).toBeGreaterThanOrEqual(most / 2)
    })
    expect(opened.errors.length).toBeGreaterThan(9)
  })

  it('a batch of large records ends early: memory stays flat', async () => {
    const opened = file.open()
    await make(opened, 1)
    const large = 'x'.repeat(1_000_000)
    for (let i = 0; i < 10; i++) await orThrow(opened.broker.produce([record(topic, null, large)]))
    const sizes: number[] = []
    await opened.broker.consume({ group, topics: [topic] }, async (batch) => {
      sizes.push(batch.records.length)
      return endOf(batch)
    })
    await until(() => expect(sizes.reduce((a, b) => a + b, 0)).toBe(10))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5)
  })

  it('settings that make no sense are named', async () => {
    const { broker } = file.open()
    await expect(broker.ensureTopics([{ name: topic, partitions: 0 }])()).rejects.toThrow('partitions is 0')
    await expect(broker.ensureTopics([{ name: 'a b', partitions: 1 }])()).rejects.toThrow('topic "a b"')
    await expect(
      broker.consume({ group, topics: [], batchSize: 0 }, async (batch) => endOf(batch)),
    ).rejects.toThrow('batchSize is 0')
  })

  it('a closed file is a failure that says so; a closed broker joins no group', async () => {
    const opened = file.open()
    await make(opened, 1)
    await opened.close()
    expect(await opened.broker.produce([record(topic, null, '1')])()).toMatchObject({
      left: { kind: 'Unavailable' },
    })
    expect(await opened.broker.topics()()).toMatchObject({ left: { kind: 'Unavailable' } })
    await expect(opened.broker.consume({ group, topics: [topic] }, async (b) => endOf(b))).rejects.toThrow(
      'closed',
    )
  })
})
