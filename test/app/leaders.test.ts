import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { left } from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { dispatch } from '#src/app/dispatch.ts'
import { eventTopicsOf, listedTopics } from '#src/app/event-topics.ts'
import { positionsOf, relayPosition } from '#src/app/lags.ts'
import { measure } from '#src/app/measure.ts'
import { settle } from '#src/app/settle.ts'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { category as itemCategory } from '#src/domain/fixity/item.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import { categoryOf, type RecordedEvent } from '#src/domain/kernel/event.ts'
import type { BrokerRecord } from '#src/ports/broker.ts'
import { workflows } from '#src/workflows/all.ts'
import { commandsOf, topicsOf } from '#src/workflows/workflow.ts'
import { recordedTelemetry } from '../fakes/telemetry.ts'
import { produce, registerFolder, started, testSystem } from './archive.ts'
import { wishesIn } from './wishes.ts'

const minutes = 120_000

/** Another machine on the same log and topics: its views are its own. */
const machineBeside = (system: System): System => {
  const viewStore = openViewStore(join(system.config.home, 'views-of-another.db'))
  onTestFinished(() => viewStore.close())
  return { ...system, viewStore }
}

const everyEvent = async ({ eventStore }: System): Promise<readonly RecordedEvent[]> => {
  const read = await eventStore.readAll(-1n, {}, 10_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right.events
}
const dutyEvents = async (system: System, duty: string) =>
  (await everyEvent(system)).filter(({ stream }) => stream === `duty-${duty}`).map(({ type }) => type)

const checkStore = async (system: System, store: string, cause: string) => {
  const outcome = await system.execute(storeDecider, {
    stream: storeStream(store),
    command: {
      type: 'RequestStoreCheck',
      store,
      prefix: '',
      queue: 'high',
      reason: 'a test',
      actor: 'ada',
      at: system.clock.now(),
    },
    causationId: cause,
    correlationId: cause,
  })
  expect(outcome).toMatchObject({ right: { kind: 'done' } })
}

describe('reactions', () => {
  it('one append when they start, one when they stop', async () => {
    const system = await testSystem()
    const running = await started(system, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'a.txt' })
    await settle(system)
    expect(await dutyEvents(system, 'reactions')).toEqual(['DutyTaken'])
    await running.stop()
    expect(await dutyEvents(system, 'reactions')).toEqual(['DutyTaken', 'DutyLeft'])
  })

  it('are waited for where they run on another machine: their duty tells how far they are', async () => {
    const system = await testSystem({ dutySeconds: 1 })
    const beside = machineBeside(system)
    await started(system, ['processors', 'reactions', 'projections'])
    await started(beside, ['projections'])
    await registerFolder(system, 'main', '/srv')
    await produce(system, { path: 'a.txt' }, { path: 'b.txt' })
    await settle(beside)
    await checkStore(system, 'main', 'wish')
    await settle(beside)
    expect(wishesIn(await everyEvent(system))).toHaveLength(2)
    expect(beside.viewStore.live('fixity-store-checks')).toBeUndefined()
    const positions = await positionsOf(beside)
    const asked = (await everyEvent(system)).find(({ type }) => type === 'StoreCheckRequested')!
    const reached = positions.find(({ name }) => name === 'fixity-store-checks')!.position
    expect(reached >= asked.position).toBe(true)
  })

  it('go on where another machine left them, which alone knew how far it was', async () => {
    const system = await testSystem()
    const first = await started(system, ['processors', 'reactions', 'projections'])
    await registerFolder(system, 'main', '/srv')
    await produce(system, { path: 'a.txt' })
    await settle(system)
    await checkStore(system, 'main', 'first')
    await settle(system)
    await first.stop()
    const before = await everyEvent(system)

    const beside = machineBeside(system)
    const heard: string[] = []
    const listening: System = {
      ...beside,
      workflows: beside.workflows.map((workflow) => ({
        ...workflow,
        reactions: (given: System) =>
          workflow.reactions(given).map((reaction) => ({
            ...reaction,
            react: (event: RecordedEvent, signal: AbortSignal) => {
              heard.push(event.metadata.causationId)
              return reaction.react(event, signal)
            },
          })),
      })),
    }
    await started(listening, ['processors', 'reactions', 'projections'])
    await checkStore(system, 'main', 'second')
    await settle(listening)
    expect(heard).toEqual(['second'])
    expect((await everyEvent(system)).length).toBeGreaterThan(before.length)
  })
})

describe('a person', () => {
  it('ends the lease on the reactions: its holder stops, and it can be had again', async () => {
    const system = await testSystem({ dutySeconds: 1 })
    await started(system, ['processors', 'reactions', 'projections'])
    await vi.waitUntil(async () => (await dutyEvents(system, 'reactions')).includes('DutyTaken'), minutes)
    const command = commandsOf(system.workflows).find(({ name }) => name === 'house.end-lease')!
    const by = { actor: 'r.vermeer', reason: 'it hangs' }
    const given = await dispatch(system, command, command.example, by)
    expect(given).toMatchObject({
      right: { kind: 'done', events: [{ type: 'DutyEnded', data: { fence: 1, reason: 'it hangs' } }] },
    })
    await vi.waitUntil(async () => (await dutyEvents(system, 'reactions')).at(-1) === 'DutyTaken', minutes)
    const ended = (await everyEvent(system)).find(({ type }) => type === 'DutyEnded')
    expect(ended?.metadata.actor).toBe('r.vermeer')
    await produce(system, { path: 'a.txt' })
    await settle(system)
  })

  it('cannot end what nobody ever had', async () => {
    const system = await testSystem()
    const command = commandsOf(system.workflows).find(({ name }) => name === 'house.end-lease')!
    const by = { actor: 'r.vermeer', reason: 'a slip' }
    expect(await dispatch(system, command, { lease: 'reactoins' }, by)).toMatchObject({
      right: { kind: 'rejected', rejection: { code: 'unknown-duty' } },
    })
  })
})

describe('followers', () => {
  const following = (system: System, heard: string[]): System => ({
    ...system,
    workflows: [
      ...system.workflows,
      {
        ...system.workflows[0]!,
        name: 'listening',
        topics: [],
        eventSets: [],
        projections: [],
        subscriptions: () => [
          {
            name: 'listener',
            checkpoint: 'listener/2',
            filter: { categories: [itemCategory] },
            handle: async ({ events }) => {
              heard.push(...events.map(({ type }) => type))
              return true
            },
          },
        ],
      },
    ],
  })

  it('run beside the reactions, under the same duty, and are waited for', async () => {
    const heard: string[] = []
    const system = following(await testSystem({ dutySeconds: 1 }), heard)
    await started(system, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'a.txt' })
    await settle(system)
    expect(heard).toEqual(['ContentRecorded'])
    const positions = await positionsOf(system)
    expect(positions.find(({ name }) => name === 'listener')!.position).toBeGreaterThan(0n)
  })

  it('go on where another machine left them: their checkpoint stands in the duty', async () => {
    const [before, after]: [string[], string[]] = [[], []]
    const system = following(await testSystem(), before)
    const first = await started(system, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'a.txt' })
    await settle(system)
    await first.stop()
    const left = (await everyEvent(system)).findLast(({ type }) => type === 'DutyLeft')!
    expect((left.data as { positions: object }).positions).toHaveProperty('listener/2')
    const own = machineBeside(system)
    const beside = following({ ...own, workflows: own.workflows.slice(0, -1) }, after)
    await started(beside, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'b.txt' })
    await settle(beside)
    expect([before.length, after.length]).toEqual([1, 1])
  })
})

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
    await settle(system)
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
    await settle(system)
    await first.stop()
    await produce(system, { path: 'b.txt' })
    await settle(system)
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
    await settle(system)
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
    await settle(system)
    await relay.stop()
    await produce(system, { path: 'a.txt' })
    await settle(system, 5000)
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
