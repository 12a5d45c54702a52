import { describe, expect, it, vi } from 'vitest'
import { startRoles } from '#src/app/roles.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { fixityProcessor } from '#src/processors/fixity/processor.ts'
import type { Workflow } from '#src/workflows/workflow.ts'
import { folderOf, produce, registerFolder, started, testSystem } from './archive.ts'

const work = ['processors', 'reactions', 'projections'] as const

describe('roles', () => {
  it.each([
    [[]],
    [['processors']],
    [['reactions']],
    [['projections']],
    [['workers']],
    [['workers', 'processors']],
    [[...work, 'workers']],
  ] as const)('%j start and stop, also in a home where nothing ever was', async (roles) => {
    const system = await testSystem()
    const running = await startRoles(system, roles)
    await running.stop()
    expect(running.projections === undefined).toBe(!(roles as readonly string[]).includes('projections'))
  })

  it('do their work in any split: what is recorded in one process is checked by another', async () => {
    const system = await testSystem()
    const root = await folderOf({ 'a.txt': 'A', 'b/c.txt': 'C' })
    await registerFolder(system, 'main', root)
    for (const role of [...work, 'workers'] as const) await started(system, [role])
    await produce(system, { path: 'a.txt' }, { path: 'b/c.txt' })
    await vi.waitUntil(() => {
      const rows = system.viewStore.shape('fixity-items') ? system.viewStore.query('fixity-items', {}) : []
      return rows.length === 2 && rows.every(({ lastChecked }) => lastChecked !== null)
    })
  })

  it('that could not all be started leave nothing running', async () => {
    const system = await testSystem()
    const fails = {
      ...system,
      broker: { ...system.broker, consume: () => Promise.reject(new Error('no group')) },
    }
    await expect(startRoles(fails, work)).rejects.toThrow('no group')
    const head = await system.eventStore.head()()
    await registerFolder(system, 'main', '/srv')
    await ensureTopics(system)
    expect(await system.eventStore.head()()).not.toEqual(head)
    expect(system.viewStore.generations().every(({ checkpoint }) => checkpoint.position === -1n)).toBe(true)
  })

  it('stop while a reaction waits for views that nobody folds', async () => {
    const system = await testSystem()
    const running = await startRoles(system, ['reactions'])
    let waiting = 0
    // The wait for views ends when it is told to stop, and never by itself.
    const sleep = vi.spyOn(system.clock, 'sleep').mockImplementation((millis, signal) => {
      if (millis === 5) waiting++
      return new Promise((resolve) => {
        const timer = millis === 5 ? undefined : setTimeout(resolve, millis)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
    })
    const route = system.workflows
      .flatMap(({ commands }) => commands)
      .find(({ name }) => name === 'fixity.check-store')!
      .route({ store: 'main' }, { actor: 'ada', reason: 'r', at: system.clock.now() })
    await registerFolder(system, 'main', '/srv')
    await system.execute(route.decider, {
      stream: route.stream,
      command: route.command as never,
      causationId: 'c',
      correlationId: 'c',
    })
    await vi.waitUntil(() => waiting > 0)
    await running.stop()
    sleep.mockRestore()
  })

  it('tell of new work also when another process folded the views', async () => {
    const system = await testSystem()
    const running = await started(system, ['projections'])
    await started(system, work)
    let heard = 0
    const stop = running.onViewChange(() => heard++)
    for (let i = 0; i < 20; i++) {
      const before = heard
      await produce(system, { path: `${i}.txt` })
      await vi.waitUntil(() => heard > before)
    }
    await waitUntilIdle(system)
    stop()
  })

  it('tell who asks for some projections of changes of their rows alone', async () => {
    const system = await testSystem()
    const running = await started(system, work)
    await waitUntilIdle(system)
    const heard = { fixity: 0, research: 0, any: 0 }
    running.onViewChange(() => heard.fixity++, ['fixity'])
    running.onViewChange(() => heard.research++, ['research'])
    running.onViewChange(() => heard.any++)
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
    expect(heard).toMatchObject({ fixity: expect.any(Number), research: 0 })
    expect(heard.fixity).toBeGreaterThan(0)
    expect(heard.any).toBeGreaterThan(heard.fixity)
  })
})

describe('settling', () => {
  it('ends when all that was produced can be seen', async () => {
    const system = await testSystem()
    await started(system, work)
    await produce(system, ...Array.from({ length: 50 }, (_, i) => ({ path: `${i}.txt` })))
    await waitUntilIdle(system)
    expect(system.viewStore.query('fixity-items', {})).toHaveLength(50)
  })

  it('ends at once where there is nothing', async () => {
    const system = await testSystem()
    await ensureTopics(system)
    await waitUntilIdle(system)
  })

  it('says what to look at when nobody handles messages, even if nobody ever did', async () => {
    const system = await testSystem()
    await ensureTopics(system)
    await produce(system, { path: 'a.txt' })
    await expect(waitUntilIdle(system, 30)).rejects.toMatchObject({
      name: 'UnavailableError',
      message: expect.stringContaining('is `fonds start` running'),
    })
  })

  it('and when nobody folds views', async () => {
    const system = await testSystem()
    await started(system, ['processors'])
    await produce(system, { path: 'a.txt' })
    await expect(waitUntilIdle(system, 300)).rejects.toMatchObject({ name: 'UnavailableError' })
  })

  it('minds its own groups alone', async () => {
    const system = await testSystem()
    await started(system, work)
    const other = { group: 'somebody-else', topics: ['fonds.fixity.content'] }
    const consumption = await system.broker.consume(other, async () => 0n)
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system, 2000)
    await consumption.stop()
  })
})

it('a workflow’s processors are the groups that are waited for', async () => {
  const system = await testSystem()
  await ensureTopics(system)
  const workflow = system.workflows.find(({ name }) => name === 'fixity') as Workflow
  const [processor] = workflow.processors(system)
  expect(processor?.name).toBe(fixityProcessor({} as never, system.clock).name)
})
