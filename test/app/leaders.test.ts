import { describe, expect, it, vi } from 'vitest'
import { dispatch } from '#src/app/dispatch.ts'
import { positionsOf } from '#src/app/lags.ts'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { category as itemCategory } from '#src/domain/fixity/item.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { produce, registerFolder, started, testSystem } from './archive.ts'
import { everyEvent, machineBeside } from './machines.ts'
import { wishesIn } from './wishes.ts'

const minutes = 120_000

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
    await waitUntilIdle(system)
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
    await waitUntilIdle(beside)
    await checkStore(system, 'main', 'wish')
    await waitUntilIdle(beside)
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
    await waitUntilIdle(system)
    await checkStore(system, 'main', 'first')
    await waitUntilIdle(system)
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
    await waitUntilIdle(listening)
    expect(heard).toEqual(['second'])
    expect((await everyEvent(system)).length).toBeGreaterThan(before.length)
  })
})

describe('a person', () => {
  it('ends the lease on the reactions: its holder stops, and it can be had again', async () => {
    const system = await testSystem({ dutySeconds: 1 })
    await started(system, ['processors', 'reactions', 'projections'])
    await vi.waitUntil(async () => (await dutyEvents(system, 'reactions')).includes('DutyTaken'), minutes)
    const command = commandsOf(system.workflows).find(({ name }) => name === 'system.end-lease')!
    const by = { actor: 'r.vermeer', reason: 'it hangs', key: 'one' }
    const given = await dispatch(system, command, command.example, by)
    expect(given).toMatchObject({
      right: { kind: 'done', events: [{ type: 'DutyEnded', data: { fence: 1, reason: 'it hangs' } }] },
    })
    await vi.waitUntil(async () => (await dutyEvents(system, 'reactions')).at(-1) === 'DutyTaken', minutes)
    const ended = (await everyEvent(system)).find(({ type }) => type === 'DutyEnded')
    expect(ended?.metadata.actor).toBe('r.vermeer')
    // A key that was sent with the command's former name still has its effect once.
    expect(ended?.metadata.causationId).toBe('house.end-lease#one')
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
  })

  it('cannot end what nobody ever had', async () => {
    const system = await testSystem()
    const command = commandsOf(system.workflows).find(({ name }) => name === 'system.end-lease')!
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
    await waitUntilIdle(system)
    expect(heard).toEqual(['ContentRecorded'])
    const positions = await positionsOf(system)
    expect(positions.find(({ name }) => name === 'listener')!.position).toBeGreaterThan(0n)
  })

  it('go on where another machine left them: their checkpoint stands in the duty', async () => {
    const [before, after]: [string[], string[]] = [[], []]
    const system = following(await testSystem(), before)
    const first = await started(system, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
    await first.stop()
    const left = (await everyEvent(system)).findLast(({ type }) => type === 'DutyLeft')!
    expect((left.data as { positions: object }).positions).toHaveProperty('listener/2')
    const own = machineBeside(system)
    const beside = following({ ...own, workflows: own.workflows.slice(0, -1) }, after)
    await started(beside, ['processors', 'reactions', 'projections'])
    await produce(system, { path: 'b.txt' })
    await waitUntilIdle(beside)
    expect([before.length, after.length]).toEqual([1, 1])
  })
})
