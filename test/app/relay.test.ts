import { isLeft } from 'fp-ts/lib/Either.js'
import { left } from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it, vi } from 'vitest'
import { eventTopicsOf, listedTopics } from '#src/app/event-topics.ts'
import { relayPosition } from '#src/app/lags.ts'
import { measure } from '#src/app/measure.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { categoryOf } from '#src/domain/kernel/event.ts'
import type { BrokerRecord } from '#src/ports/broker.ts'
import { workflows } from '#src/workflows/all.ts'
import { topicsOf } from '#src/workflows/workflow-model.ts'
import { recordedTelemetry } from '../fakes/telemetry.ts'
import { produce, registerFolder, started, testSystem } from './archive.ts'
import { everyEvent, machineBeside } from './machines.ts'

describe('the relay', () => {
  const recordsOf = async ({ broker }: System, topic: string): Promise<readonly BrokerRecord[]> => {
    const topics = await broker.topics()()
    if (isLeft(topics)) throw new Error('no topics')
    const offsets = topics.right.find(({ name }) => name === topic)?.offsets ?? []
    const peeked = await Promise.all(
      offsets.map(({ partition }) => broker.peek(topic, partition, 0n, 1000)()),
    )
    return peeked.flatMap((some) => (isLeft(some) ? [] : some.right))
  }
  const positionOf = ({ headers }: BrokerRecord) => Number(headers.fonds_position)
  const relayed = async (system: System) => {
    const all = await Promise.all(eventTopicsOf(system.workflows).map(({ name }) => recordsOf(system, name)))
    return all.flat().sort((a, b) => positionOf(a) - positionOf(b))
  }
  const facts = async (system: System) =>
    (await everyEvent(system)).filter(({ stream }) => categoryOf(stream) !== 'duty')

  it('starts where the log does not say yet under which name it is relayed, and works once it does', async () => {
    const system = await testSystem()
    const { metadata } = system.eventStore
    const asked = vi
      .spyOn(system.eventStore, 'metadata')
      .mockImplementation((stream) =>
        stream === 'duty-relay' && asked.mock.calls.filter(([name]) => name === 'duty-relay').length <= 2
          ? left({ kind: 'Unavailable', reason: 'late' })
          : metadata(stream),
      )
    await started(system, ['processors', 'reactions', 'projections', 'relay'])
    await registerFolder(system, 'main', '/srv')
    await expect.poll(() => relayed(system)).toHaveLength((await facts(system)).length)
    expect(asked.mock.calls.filter(([name]) => name === 'duty-relay').length).toBeGreaterThan(2)
  })

  it('puts every event of a workflow on its topic, and settling waits for it', async () => {
    const system = await testSystem()
    await started(system, ['processors', 'reactions', 'projections', 'relay'])
    await registerFolder(system, 'main', '/srv')
    await produce(system, { path: 'a.txt' }, { path: 'b.txt' }, { path: '' })
    await waitUntilIdle(system)
    const [events, records] = [await facts(system), await relayed(system)]
    expect(records.map(positionOf)).toEqual(events.map(({ position }) => Number(position)))
    expect(records.map(({ key }) => key)).toEqual(events.map(({ stream }) => stream))
    expect(new Set(records.map(({ topic }) => topic))).toEqual(
      new Set(['fonds.fixity.events', 'fonds.house.events']),
    )
    const sources = new Set(records.map(({ headers }) => headers.ce_source))
    expect([...sources].every((source) => /^fonds:\/\/[\w-]+\/(fixity|house)$/.test(source!))).toBe(true)
  })

  it('goes on on another machine behind what was passed on, and its lag is measured everywhere', async () => {
    const system = await testSystem()
    const all = ['processors', 'reactions', 'projections'] as const
    await started(system, all)
    const first = await started(system, ['relay'])
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
    await first.stop()
    await produce(system, { path: 'b.txt' })
    await waitUntilIdle(system)
    expect(await relayed(system)).toHaveLength(1)

    const beside = machineBeside(system)
    expect(await relayPosition(beside)).toMatchObject({ running: false })
    const telemetry = recordedTelemetry()
    await measure({ ...beside, telemetry })
    // The relay's is the last.
    expect(telemetry.gauged('lag').at(-1)).toBeGreaterThan(0)

    await started(beside, ['relay'])
    await vi.waitUntil(async () => (await relayPosition(beside))?.running === true)
    await vi.waitUntil(async () => (await relayed(system)).length > 1)
    expect((await relayed(system)).map(positionOf)).toEqual(
      (await facts(system)).map(({ position }) => Number(position)),
    )
  })

  it('starts from the first event on a broker that has none of them', async () => {
    const system = await testSystem()
    await started(system, ['processors', 'reactions', 'projections'])
    const first = await started(system, ['relay'])
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
    await first.stop()
    expect(await relayed(system)).toHaveLength(1)
    await started({ ...system, broker: { ...system.broker, id: 'another' } }, ['relay'])
    await vi.waitUntil(async () => (await relayed(system)).length === 2)
  })

  it('has no lag to measure while its broker has not said who it is; the rest is measured', async () => {
    const system = await testSystem()
    const running = await started(system, ['relay', 'projections'])
    await vi.waitUntil(async () => (await relayPosition(system)) !== undefined)
    await running.stop()
    const telemetry = recordedTelemetry()
    const broker = {
      ...system.broker,
      get id(): string {
        throw new Error('not known yet')
      },
    }
    await expect(relayPosition({ ...system, broker })).rejects.toMatchObject({ name: 'UnavailableError' })
    await measure({ ...system, telemetry, broker })
    expect(telemetry.gauged('lag').length).toBeGreaterThan(0)
  })

  it('is not waited for where it does not run', async () => {
    const system = await testSystem()
    await started(system, ['processors', 'reactions', 'projections'])
    const relay = await started(system, ['relay'])
    await waitUntilIdle(system)
    await relay.stop()
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system, 5000)
  })
})

describe('topics of events', () => {
  it('are made only where the relay runs', async () => {
    const system = await testSystem()
    const names = async () => {
      const topics = await system.broker.topics()()
      return isLeft(topics) ? [] : topics.right.map(({ name }) => name)
    }
    await ensureTopics(system)
    expect((await names()).filter((name) => name.endsWith('.events'))).toEqual([])
    await ensureTopics(system, true)
    expect(await names()).toEqual(expect.arrayContaining(['fonds.fixity.events', 'fonds.house.events']))
  })

  it('are read by no processor, and hold every category once', async () => {
    const system = await testSystem()
    const events = eventTopicsOf(workflows)
    const read = workflows.flatMap((one) => one.processors(system)).flatMap(({ topics }) => topics)
    expect(events.filter(({ name }) => read.some((topic) => topic.name === name))).toEqual([])
    const categories = events.flatMap((topic) => topic.categories)
    expect(new Set(categories).size).toBe(categories.length)
    expect(categories).not.toContain('duty')
    expect(listedTopics(workflows)).toHaveLength(topicsOf(workflows).length + events.length)
  })

  it('cannot be a workflow’s own', () => {
    const [house, fixity] = workflows
    const topics = [{ name: 'fonds.house.events', description: '', messages: [], keyOf: () => '' }]
    expect(() => eventTopicsOf([house!, { ...fixity!, topics }])).toThrow('cannot take messages there')
  })
})
