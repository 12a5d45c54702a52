import { beforeEach, describe, expect, it } from 'vitest'
import { batchDecider } from '#src/domain/fixity/batch/decide.ts'
import { batchStream } from '#src/domain/fixity/batch/events.ts'
import { type BatchTask, type FixityTask, isBatch } from '#src/domain/fixity/check-task.ts'
import { budgetOf, budgetStanding } from '#src/domain/fixity/due/budgets.ts'
import { nextDay } from '#src/domain/fixity/store/budget.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '#src/domain/fixity/store/events.ts'
import { DAY } from '#src/domain/kernel/time.ts'
import type { Claimed } from '#src/ports/task-queue.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { checkQueues } from '#src/processors/fixity/check-queues.ts'
import type { Route } from '#src/processors/runtime/processor.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { fixityCauses } from '#src/workflows/fixity/attention.ts'
import { openTestViews } from '../../fakes/views.ts'
import { content, type FixityWorld, fixityWorld, sha } from './world.ts'

/* What a store's checks may read in a day is shared by all who have its log. */

let world: FixityWorld
beforeEach(async () => {
  world = fixityWorld()
  await registered(10)
})

const registered = (bytesPerDay: number) =>
  world.run({
    decider: storeDecider,
    stream: storeStream('main'),
    command: {
      type: 'RegisterStore',
      store: 'main',
      kind: 'folder',
      root: '/archive',
      policy: { ...defaultPolicy, lagSeconds: 0, bytesPerDay },
      at: world.clock.now(),
      actor: 'ada',
    },
  } as unknown as Route)

const queues = (worker: string, viewStore: ViewStore = world.viewStore, fold = world.fold) =>
  checkQueues({
    ...world,
    viewStore,
    worker,
    stores: async () => ['main'],
    isReportable: async () => true,
    viewsReach: fold,
    timeoutMillis: 60_000,
    reportFailure: async () => {},
  })
const pathsOf = (claims: readonly Claimed<unknown>[]) =>
  (claims as readonly Claimed<FixityTask>[]).flatMap(({ task }) =>
    isBatch(task) ? task.files.map(({ path }) => path) : [task.item.path],
  )
const [high, low] = [0, 1]
const take = async (worker = 'w', queue = low) => {
  const claims = await queues(worker)[queue]!.take(20)
  await world.fold()
  return claims as readonly Claimed<BatchTask>[]
}

/** Recorded one after the other, so that they are due in this order. */
const recorded = async (sizes: Readonly<Record<string, number>>) => {
  for (const [path, size] of Object.entries(sizes)) {
    await world.on(content(path), {
      type: 'RecordContent',
      checksums: [sha('a')],
      recordedFrom: 'm',
      size,
    } as never)
    await world.clock.advance(1)
  }
  await world.fold()
}
const checked = async ({ task: { batch, files } }: Claimed<BatchTask>, worker = 'w') => {
  const at = world.clock.now()
  const items = files.map(({ path, size }) => ({
    path,
    revision: 0,
    size,
    checksums: { 'sha-256': 'a'.repeat(64) },
    version: 'v',
    modifiedAt: at,
    observedAt: at,
    dueAt: new Date(Date.parse(at) + 90 * DAY).toISOString(),
  }))
  await world.run({
    decider: batchDecider,
    stream: batchStream(batch),
    command: {
      type: 'ReportBatch',
      worker,
      intact: [{ pattern: 'AAAA', row: 'F1', because: 'as recorded', items }],
      others: 0,
      at,
      actor: worker,
    },
  } as unknown as Route)
  await world.fold()
}
const standing = () => budgetStanding(world.viewStore, 'main', world.clock.now())

describe('the checks of a store with a byte budget', () => {
  it('end where the next one does not fit, and go on the next day of UTC', async () => {
    await recorded({ a: 4, b: 4, c: 4, d: 1 })
    const claims = await take()
    expect(pathsOf(claims)).toEqual(['a', 'b'])
    for (const claim of claims) await checked(claim)
    expect(pathsOf(await take())).toEqual([])
    expect(standing()).toEqual({
      bytesPerDay: 10,
      read: 8,
      inHand: 0,
      waiting: 2,
      goesOnAt: `${world.clock.now().slice(0, 9)}2T00:00:00.000Z`,
    })
    await world.clock.advance(DAY)
    expect(pathsOf(await take())).toEqual(['c', 'd'])
    expect(standing()).toMatchObject({ read: 0, inHand: 5, waiting: 0, goesOnAt: null })
  })

  it('count what others have in hand', async () => {
    await recorded({ a: 4, b: 4, c: 4 })
    expect(pathsOf(await take('v'))).toEqual(['a', 'b'])
    expect(pathsOf(await take('w'))).toEqual([])
  })

  it('are free again where they were given back unread', async () => {
    await recorded({ a: 8, b: 4 })
    for (const claim of await take('v')) await claim.release('stopping')
    await world.fold()
    expect(pathsOf(await take('w'))).toEqual(['a'])
  })

  it('are within it where two nodes choose at the same moment, each by its own views', async () => {
    await recorded({ a: 6, b: 6 })
    const others = openTestViews()
    const foldOthers = () =>
      catchUp({ eventStore: world.eventStore, viewStore: others, projections: [fixity] })
    await foldOthers()
    // The node sees what the first one claimed only after its own claim.
    const [first, second] = [await take('v'), await queues('w', others, foldOthers)[low]!.take(20)]
    expect([pathsOf(first), pathsOf(second)]).toEqual([['a'], []])
    others.close()
  })

  it('are within it after a restart, by views that are folded anew', async () => {
    await recorded({ a: 8, b: 4 })
    for (const claim of await take()) await checked(claim)
    const anew = openTestViews()
    await catchUp({ eventStore: world.eventStore, viewStore: anew, projections: [fixity] })
    expect(budgetOf(anew, 'main', { now: world.clock.now() })).toEqual({
      bytesPerDay: 10,
      read: 8,
      inHand: 0,
    })
    anew.close()
  })

  it('are not overtaken by others where they are urgent', async () => {
    await recorded({ urgent: 6 })
    for (const claim of await take('v')) await checked(claim)
    await recorded({ a: 1 })
    await world.on(content('urgent'), { type: 'RequestCheck', queue: 'high', reason: 'r' } as never)
    await world.fold()
    expect(pathsOf(await take('w', high))).toEqual([])
    expect(pathsOf(await take('w', low))).toEqual([])
    await world.clock.advance(DAY)
    expect(pathsOf(await take('w', high))).toEqual(['urgent'])
    expect(pathsOf(await take('w', low))).toEqual(['a'])
  })

  it('are named as the cause of a cycle that is late', async () => {
    await recorded({ a: 8, b: 8 })
    await world.clock.advance(200 * DAY)
    const late = () => fixityCauses(world as never).find(({ key }) => key === 'cycle/main')?.todo
    await world.fold()
    expect(late()).not.toContain('budget')
    for (const claim of await take()) await checked(claim)
    expect(late()).toContain('its checks wait for its byte budget of 10 B a day, and go on at')
  })

  const archived = async (...paths: readonly string[]) => {
    for (const path of paths)
      await world.on(content(path), {
        type: 'Observe',
        content: { status: 'not-attempted' },
        storage: { status: 'present', checksums: [sha('a')], archived: 'GLACIER' },
        index: { status: 'recorded', checksums: [sha('a')] },
        observedAt: world.clock.now(),
        policy: { ...defaultPolicy, lagSeconds: 0 },
      } as never)
    await world.clock.advance(100 * DAY)
  }

  it('wait for an archived item only while it is in hand, for nobody knows whether it is restored', async () => {
    await recorded({ archived: 50 })
    await archived('archived')
    await recorded({ a: 4, b: 4 })
    const [first] = await take()
    expect(pathsOf([first!])).toEqual(['archived'])
    expect(pathsOf(await take('v'))).toEqual([])
    // Nothing waits for tomorrow.
    expect(standing()).toMatchObject({ read: 0, inHand: 0, waiting: 0, goesOnAt: null })
    await archived('archived')
    await first!.release('it is still archived')
    await world.fold()
    expect(pathsOf(await take()).toSorted()).toContain('a')
  })

  it('of restored items go beyond it by one item at most, whoever claims them', async () => {
    await recorded({ a: 6, b: 6, c: 6, d: 6 })
    await archived('a', 'b', 'c', 'd')
    await world.fold()
    const claims = [...(await take('v')), ...(await take('w'))]
    expect(pathsOf(claims)).toHaveLength(2)
    expect(pathsOf(await take())).toEqual([])
  })

  const untilMidnight = () => Date.parse(nextDay(world.clock.now())) - Date.parse(world.clock.now())

  it('that run across midnight count in the day that has their outcome, and are in hand on both', async () => {
    await recorded({ a: 8, b: 8, c: 2 })
    await world.clock.advance(untilMidnight() - 1)
    const [running] = await take()
    expect(pathsOf([running!])).toEqual(['a'])
    await world.clock.advance(1)
    expect(standing()).toMatchObject({ read: 0, inHand: 8 })
    expect(pathsOf(await take('v'))).toEqual([])
    await checked(running!)
    expect(standing()).toMatchObject({ read: 8, inHand: 0, waiting: 2 })
    expect(pathsOf(await take('v'))).toEqual([])
    await world.clock.advance(DAY)
    expect(pathsOf(await take('v'))).toEqual(['b', 'c'])
  })

  it('read nothing twice over where a clock is put back over midnight, and forward again', async () => {
    await recorded({ a: 8, b: 8, c: 8 })
    await world.clock.advance(untilMidnight() - 1)
    for (const claim of await take()) await checked(claim)
    await world.clock.advance(2)
    for (const claim of await take()) await checked(claim)
    expect(standing()).toMatchObject({ read: 8, waiting: 1 })
    await world.clock.advance(-2)
    expect(standing()).toMatchObject({ read: 8, waiting: 1 })
    expect(pathsOf(await take())).toEqual([])
    await world.clock.advance(2)
    expect(pathsOf(await take())).toEqual([])
    await world.clock.advance(DAY)
    expect(pathsOf(await take())).toEqual(['c'])
  })

  it('count the bytes of a version that somebody had read', async () => {
    await recorded({ a: 8, b: 8 })
    await world.on(content('a'), {
      type: 'CheckVersion',
      versionId: 'v1',
      seen: {
        content: { status: 'read', size: 5, checksums: [sha('a')] },
        storage: { status: 'present', checksums: [], size: 5 },
        records: [],
      },
      observedAt: world.clock.now(),
      reason: 'r',
    } as never)
    await world.fold()
    expect(standing()).toMatchObject({ read: 5 })
    expect(pathsOf(await take())).toEqual([])
  })

  it('wake their worker at midnight', async () => {
    await recorded({ a: 50, b: 1 })
    await take()
    await world.clock.advance(120_000)
    expect(await queues('w')[low]!.nextDue()).toBe(`${world.clock.now().slice(0, 9)}2T00:00:00.000Z`)
  })

  it('read all once the budget is taken away, and a reading that failed has used it', async () => {
    await recorded({ a: 8, b: 8 })
    const now = world.clock.now()
    await world.on(content('a'), {
      type: 'Observe',
      content: { status: 'failed', error: 'broken' },
      storage: { status: 'missing' },
      observedAt: now,
      policy: defaultPolicy,
    } as never)
    await world.fold()
    expect(standing()).toMatchObject({ read: 8, goesOnAt: expect.any(String) })
    await world.run({
      decider: storeDecider,
      stream: storeStream('main'),
      command: {
        type: 'ChangePolicy',
        store: 'main',
        policy: { bytesPerDay: 'unlimited' },
        reason: 'r',
        at: now,
        actor: 'ada',
      },
    } as unknown as Route)
    await world.fold()
    expect(standing()).toBeUndefined()
    expect(pathsOf(await take()).toSorted()).toEqual(['a', 'b'])
  })
})
