import { beforeEach, describe, expect, it } from 'vitest'
import { isPending, lastDue, pending, type Scope } from '#src/cli/fixity/pending.ts'
import { type BatchTask, isBatch } from '#src/domain/fixity/check-task.ts'
import { requestDecider } from '#src/domain/fixity/requests/decide.ts'
import { requestStream } from '#src/domain/fixity/requests/events.ts'
import { addMillis, DAY } from '#src/domain/kernel/time.ts'
import { ViewQueryError } from '#src/domain/kernel/view.ts'
import type { Claimed } from '#src/ports/task-queue.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { checkQueues } from '#src/processors/fixity/check-queues.ts'
import type { Route } from '#src/processors/runtime/processor.ts'
import { content, type FixityWorld, fixityWorld, record, seen } from './world.ts'

/* What is asked for of many items is claimed, whatever their rows say. */

let world: FixityWorld
beforeEach(() => {
  world = fixityWorld()
})

const queues = (worker = 'w', viewStore: ViewStore = world.viewStore) =>
  checkQueues({
    ...world,
    viewStore,
    worker,
    stores: async () => ['main'],
    isReportable: async () => true,
    viewsReach: () => world.fold(),
    timeoutMillis: 60_000,
    reportFailure: async () => {},
  })
const [high, low] = [0, 1]
const take = async (queue: number, hands = 20, worker = 'w') => {
  const claims = (await queues(worker)[queue]!.take(hands)) as readonly Claimed<BatchTask>[]
  return { claims, paths: claims.flatMap(({ task }) => task.files.map(({ path }) => path)) }
}
/** Checked, and not due for long. */
const verified = async (...paths: readonly string[]) => {
  for (const path of paths) {
    await world.on(content(path), record())
    await world.on(content(path), seen(world.clock) as never)
  }
  await world.clock.advance(1000)
  await world.fold()
}
const ask = async (paths: readonly string[], queue: 'high' | 'low' = 'high', at = world.clock.now()) => {
  await world.run({
    decider: requestDecider,
    stream: requestStream(`${at}/${paths.join()}`),
    command: { type: 'RequestChecks', store: 'main', paths, queue, reason: 'r', at, actor: 'ada' },
  } as unknown as Route)
  await world.fold()
}

describe('items that were asked for together', () => {
  it('are claimed in the order in which they were asked for, from their queue', async () => {
    const paths = Array.from({ length: 130 }, (_, i) => `${i}`.padStart(3, '0'))
    await verified(...paths)
    await ask(paths.slice(50))
    await ask(paths.slice(0, 50))
    expect((await take(low)).paths).toEqual([])
    expect((await take(high, 1)).paths).toEqual(paths.slice(50, 150).slice(0, 80).concat(paths.slice(0, 20)))
    expect((await take(high, 20, 'x')).paths).toEqual(paths.slice(20, 50))
    expect((await take(high, 20, 'y')).paths).toEqual([])
  })

  it('may be claimed again once their batch was given back', async () => {
    await verified('a', 'b')
    await ask(['a', 'b'])
    const { claims } = await take(high)
    for (const claimed of claims) await claimed.release('stopping')
    await world.fold()
    expect((await take(high)).paths).toEqual(['a', 'b'])
  })

  it('are claimed once where they are due anyway, and before what is due later', async () => {
    await verified('a', 'b')
    await world.clock.advance(100 * DAY)
    await world.on(content('c'), record())
    await world.fold()
    await ask(['b'], 'low')
    expect((await take(low)).paths.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('are not passed over for those that others hold: what is due by the schedule is still the oldest first', async () => {
    await verified('r1', 'r2')
    for (const path of ['a', 'b', 'c', 'd']) await world.on(content(path), record())
    await ask(['r1', 'r2'], 'high')
    await take(high)
    expect((await take(low, 1)).paths).toEqual(['a', 'b', 'c', 'd'])
  })

  it('that are in the middle of a check of their own are left to it', async () => {
    await verified('a', 'b')
    await world.clock.advance(100 * DAY)
    await ask(['a', 'b'])
    await world.on(content('a'), {
      type: 'Claim',
      holder: 'x',
      deadline: addMillis(world.clock.now(), 60_000),
      millis: 60_000,
    } as never)
    await world.fold()
    const { claims, paths } = await take(high)
    expect([paths, claims.map(({ task }) => isBatch(task))]).toEqual([['b'], [true]])
  })

  it('are the next that is due, where they are asked for ahead of the time', async () => {
    await verified('a')
    const later = addMillis(world.clock.now(), 5000)
    await ask(['a'], 'high', later)
    expect((await take(high)).paths).toEqual([])
    expect(await queues()[high]!.nextDue()).toBe(later)
  })
})

describe('what is pending', () => {
  const scope = (prefix = ''): readonly Scope[] => [
    {
      store: 'main',
      ...(prefix && { covers: (path: string) => path.startsWith(prefix) }),
      where: [
        { column: 'store', is: '=', value: 'main' },
        ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
      ],
    },
  ]
  const soon = () => addMillis(world.clock.now(), 1000)

  it('are the items that wait in requests, in scope, until each was checked', async () => {
    await verified('a/1', 'a/2', 'b')
    expect([pending(world, scope(), soon()), isPending(world, scope(), soon())]).toEqual([0, false])
    await ask(['a/1', 'a/2', 'b'])
    expect(pending(world, scope(), soon())).toBe(3)
    expect(pending(world, scope('a/'), soon())).toBe(2)
    expect(lastDue(world, scope('a/'), soon())).toBe(world.clock.now())
    for (const path of ['a/1', 'a/2']) await world.on(content(path), seen(world.clock) as never)
    await world.fold()
    expect([isPending(world, scope('a/'), soon()), isPending(world, scope(), soon())]).toEqual([false, true])
  })

  it('counts once what is due by the schedule, too', async () => {
    await verified('a', 'b')
    await world.clock.advance(100 * DAY)
    await ask(['a', 'b'])
    expect(pending(world, scope(), soon())).toBe(2)
  })
})

it('a view that an older program folded has no requests: the rows of items say all', async () => {
  await world.on(content('a'), record())
  await world.fold()
  const older: ViewStore = {
    ...world.viewStore,
    query: (view, query) => {
      if (view.startsWith('fixity-request')) throw new ViewQueryError(`there is no view ${view}`)
      return world.viewStore.query(view, query)
    },
  }
  const [claimed] = (await queues('w', older)[low]!.take(1)) as readonly Claimed<BatchTask>[]
  expect(claimed?.task.files.map(({ path }) => path)).toEqual(['a'])
  expect(await queues('w', older)[high]!.nextDue()).toBe(addMillis(world.clock.now(), 60_000))
})
