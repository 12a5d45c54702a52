import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../src/domain/kernel/time.ts'
import type { TaskQueue } from '../../../src/ports/task-queue.ts'
import type { ClaimContext } from '../../../src/workers/runtime/run-task.ts'
import { turns } from '../../fakes/clock.ts'
import type { FakeTask } from '../../fakes/task-queue.ts'
import { runs } from '../../runs.ts'
import { minutes, poolWorld } from './pool-world.ts'

let world = poolWorld()
let { clock, tasks, telemetry, tellOfNewWork, start, held } = world
beforeEach(() => {
  world = poolWorld()
  ;({ clock, tasks, telemetry, tellOfNewWork, start, held } = world)
})
afterEach(async () => {
  await world.end()
})

describe('the order of work', () => {
  test('queues are strictly in order: the low one when the high one is empty', async () => {
    for (const id of ['l1', 'l2', 'l3']) tasks.add('low', id)
    for (const id of ['h1', 'h2', 'h3']) tasks.add('high', id)
    const { started, perform, end } = held()
    start([tasks.queue('high'), tasks.queue('low')], perform, { concurrency: 1 })
    await turns()
    for (const id of ['h1', 'h2']) await end(id)
    tasks.add('high', 'h4')
    for (const id of ['h3', 'h4', 'l1', 'l2', 'l3']) await end(id)
    expect(started).toEqual(['h1', 'h2', 'h3', 'h4', 'l1', 'l2', 'l3'])
  })

  test('word of new work brings the high queue back before the next low task', async () => {
    for (const id of ['l1', 'l2']) tasks.add('low', id)
    const { started, perform, end } = held()
    start([tasks.queue('high'), tasks.queue('low')], perform, { concurrency: 1 })
    await turns()
    tasks.add('high', 'h1')
    await tellOfNewWork()
    for (const id of ['l1', 'h1', 'l2']) await end(id)
    expect(started).toEqual(['l1', 'h1', 'l2'])
  })

  test('at most a hundred at a time are claimed, and never more than there are free hands', async () => {
    for (let i = 0; i < 140; i++) tasks.add('only', `t${i}`)
    const { started, perform, end } = held()
    const queue = tasks.queue('only')
    const pool = start([queue], perform, { concurrency: 123 })
    await turns()
    await clock.advance(10)
    expect(queue.looks.map(({ limit }) => limit)).toEqual([100, 23])
    expect(pool.busy()).toBe(123)
    await end('t0')
    expect(queue.looks).toHaveLength(2)
    await clock.advance(10)
    expect(queue.looks.at(-1)?.limit).toBe(1)
    expect(started).toHaveLength(124)
    expect(telemetry.counted('tasks', 'queue')).toEqual({ only: 124 })
    expect(Math.max(...telemetry.gauged('hands_busy'))).toBe(123)
    for (let i = 1; i < 140; i++) {
      await end(`t${i}`)
      await clock.advance(10)
    }
    expect(telemetry.gauged('hands_busy').at(-1)).toBe(0)
  })

  test('a task that takes several hands leaves fewer for others, and counts as all that it stands for', async () => {
    for (let i = 0; i < 3; i++) tasks.add('only', `t${i}`)
    const { perform, end } = held()
    const queue = tasks.queue('only')
    const large: TaskQueue<FakeTask> = {
      ...queue,
      take: async (concurrency) =>
        (await queue.take(concurrency >= 4 ? 1 : 0)).map((one) => ({ ...one, concurrency: 4, tasks: 50 })),
    }
    const pool = start([large], perform, { concurrency: 10 })
    await turns()
    await clock.advance(10)
    expect(pool.busy()).toBe(8)
    expect(telemetry.counted('tasks', 'queue')).toEqual({ only: 100 })
    await end('t0')
    await tellOfNewWork()
    await clock.advance(10)
    expect(pool.busy()).toBe(8)
    await end('t1')
    await end('t2')
    expect(pool.busy()).toBe(0)
  })

  test('tasks that end close together are replaced by one claim; a hand that is free alone waits 10 ms', async () => {
    for (let i = 0; i < 30; i++) tasks.add('only', `t${i}`)
    const { started, perform, end } = held()
    const queue = tasks.queue('only')
    start([queue], perform, { concurrency: 10 })
    await turns()
    for (let i = 0; i < 4; i++) await end(`t${i}`)
    await clock.advance(9)
    expect(queue.looks.map(({ limit }) => limit)).toEqual([10])
    await end('t4')
    expect(queue.looks.map(({ limit }) => limit)).toEqual([10, 5])
    expect(started).toHaveLength(15)
  })

  test('a task that waits for others takes no hand; as many again are under way at most', async () => {
    for (let i = 0; i < 9; i++) tasks.add('only', `t${i}`)
    const ends: (() => void)[] = []
    const perform = async (_: FakeTask, { aside }: ClaimContext) => {
      await aside(new Promise<void>((resolve) => ends.push(resolve)))
    }
    const pool = start([tasks.queue('only')], perform, { concurrency: 2 })
    await turns()
    expect(pool.busy()).toBe(4)
    while (pool.busy() > 0) {
      ends.shift()?.()
      await turns()
      expect(pool.busy()).toBeLessThanOrEqual(4)
    }
    expect(telemetry.counted('tasks', 'queue')).toEqual({ only: 9 })
  })

  test('a throttle by items rests between takes', async () => {
    for (let i = 0; i < 6; i++) tasks.add('only', `t${i}`)
    const queue = tasks.queue('only')
    start([queue], undefined, { pace: (taken, signal) => clock.sleep(taken * MINUTE, signal) })
    await clock.advance(5 * MINUTE)
    expect(minutes(queue)).toEqual([0, 2, 4])
    expect(tasks.open()).toBe(0)
  })
})

describe('a queue that cannot be read', () => {
  test('is read again soon, and stops no other', async () => {
    const looks: string[] = []
    let broken = true
    const high = tasks.queue('high')
    const shaky: TaskQueue<FakeTask> = {
      name: 'high',
      take: async (limit) => {
        looks.push(clock.now().slice(14, 19))
        if (broken) throw new Error('away')
        return high.take(limit)
      },
      nextDue: () => Promise.reject(new Error('away')),
    }
    tasks.add('high', 'h1')
    tasks.add('low', 'l1')
    start([shaky, tasks.queue('low')])
    await turns()
    expect(tasks.open()).toBe(1)
    await clock.advance(12_000)
    expect(looks).toEqual(['00:00', '00:05', '00:10'])
    broken = false
    await clock.advance(3_000)
    expect(tasks.open()).toBe(0)
  })
})

describe('while a hand works', () => {
  test('its claim is extended at half its time-out, again and again', async () => {
    tasks.add('only', 't1')
    const { perform, end } = held()
    start([tasks.queue('only')], perform, { stallMillis: 60 * MINUTE })
    await clock.advance(5 * MINUTE)
    expect(tasks.log).toEqual(Array(10).fill('extend t1'))
    await end('t1')
    await clock.advance(5 * MINUTE)
    expect(tasks.log).toEqual([...Array(10).fill('extend t1'), 'done t1'])
  })

  test('a lost claim ends it, and nothing is reported', async () => {
    tasks.add('only', 't1')
    let why: unknown
    const pool = start([tasks.queue('only')], async (_, { signal }) => {
      await clock.sleep(60 * MINUTE, signal)
      why = signal.reason
    })
    await turns()
    tasks.seize('t1')
    await clock.advance(30_000)
    expect(pool.busy()).toBe(0)
    expect(String(why)).toContain('another process holds it now')
    expect(tasks.log).toEqual(['extend t1'])
  })

  test('its queue hears once that it is over, however it ended', async () => {
    const over: string[] = []
    for (const id of ['done', 'failed']) tasks.add('only', id)
    const queue = tasks.queue('only')
    const telling: TaskQueue<FakeTask> = {
      ...queue,
      take: async (limit) =>
        (await queue.take(limit)).map((claimed) => ({
          ...claimed,
          over: () => void over.push(claimed.task.id),
        })),
    }
    const { perform, end } = held()
    start(
      [telling],
      async (task) => {
        await perform(task)
        if (task.id === 'failed') throw new Error('no')
      },
      { concurrency: 2 },
    )
    await turns()
    expect(over).toEqual([])
    await end('done')
    expect(over).toEqual(['done'])
    await end('failed')
    expect(over).toEqual(['done', 'failed'])
  })

  test('no progress for the stall time: it is ended and reported, and the hand is free', async () => {
    for (const id of ['t1', 't2']) tasks.add('only', id)
    const started: string[] = []
    start(
      [tasks.queue('only')],
      (task) => {
        started.push(task.id)
        return new Promise(() => {})
      },
      { concurrency: 1, stallMillis: 2 * MINUTE },
    )
    await clock.advance(2 * MINUTE - 1)
    expect(started).toEqual(['t1'])
    await clock.advance(1)
    expect(tasks.log.filter((line) => !line.startsWith('extend'))).toEqual([
      'fail (no progress for 120 s) t1',
    ])
    expect(started).toEqual(['t1', 't2'])
  })

  test('work that takes long but shows progress is left alone', async () => {
    tasks.add('only', 't1')
    start(
      [tasks.queue('only')],
      async (task, { progress }) => {
        for (let i = 0; i < 10; i++) {
          await clock.sleep(1.5 * MINUTE)
          progress()
        }
        tasks.complete(task)
      },
      { stallMillis: 2 * MINUTE },
    )
    await clock.advance(15 * MINUTE)
    expect(tasks.log.at(-1)).toBe('done t1')
  })

  test.each([
    ['an error', new Error('disk on fire'), 'disk on fire'],
    ['whatever it is', 'smoke', 'smoke'],
    ['half a character', new Error('disk \ud800'), 'disk \ufffd'],
    ['nothing to say', new Error(''), 'it failed without giving a reason'],
  ])('%s is reported as a failed attempt, and the others go on', async (_, error, reason) => {
    for (const id of ['t1', 't2']) tasks.add('only', id)
    const { perform, end, fail } = held()
    start([tasks.queue('only')], perform)
    await turns()
    await fail('t1', error)
    await end('t2')
    expect(tasks.log).toEqual([`fail (${reason}) t1`, 'done t2'])
  })

  test('a failure that cannot be reported hurts nobody else', async () => {
    for (const id of ['t1', 't2']) tasks.add('only', id)
    const queue = tasks.queue('only')
    const pool = start(
      [
        {
          ...queue,
          take: async (limit) =>
            (await queue.take(limit)).map((one) => ({
              ...one,
              fail: () => Promise.reject(new Error('away')),
            })),
        },
      ],
      () => Promise.reject(new Error('broken')),
    )
    await turns()
    expect(pool.busy()).toBe(0)
  })
})

test('any number of pools never hold the same task at once, and all work gets done', async () => {
  const job = fc.record({
    millis: fc.integer({ min: 1, max: 5 * MINUTE }),
    /** What becomes of each try to extend its claim. */
    extensions: fc.array(fc.constantFrom('works', 'fails', 'hangs'), { minLength: 1, maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.array(job, { minLength: 1, maxLength: 8 }),
      async (count, jobs) => {
        const { clock, tasks, start } = poolWorld()
        for (const i of jobs.keys()) tasks.add('only', `t${i}`)
        const holds: { id: string; from: number; to: number }[] = []
        const now = () => Date.parse(clock.now())
        const tries = new Map<string, number>()
        const crew = Array.from({ length: count }, (_, i) => {
          const queue = tasks.queue('only', `w${i}`)
          const shaky: TaskQueue<FakeTask> = {
            ...queue,
            take: async (limit) =>
              (await queue.take(limit)).map((one) => ({
                ...one,
                extend: () => {
                  const { extensions } = jobs[Number(one.task.id.slice(1))]!
                  const attempt = tries.get(one.task.id) ?? 0
                  tries.set(one.task.id, attempt + 1)
                  // In the end it works: else a long task would never get done.
                  const what = extensions[attempt] ?? 'works'
                  if (what === 'fails') return Promise.reject(new Error('away'))
                  return what === 'hangs' ? new Promise(() => {}) : one.extend()
                },
              })),
          }
          return start(
            [shaky],
            async (task, { signal }) => {
              const hold = { id: task.id, from: now(), to: Number.POSITIVE_INFINITY }
              holds.push(hold)
              const end = () => {
                hold.to = Math.min(hold.to, now())
              }
              signal.addEventListener('abort', end)
              await clock.sleep(jobs[Number(task.id.slice(1))]!.millis, signal)
              if (!signal.aborted) tasks.complete(task)
              end()
            },
            { stallMillis: 60 * MINUTE },
          )
        })
        await clock.advance(120 * MINUTE)
        await Promise.all(crew.map((pool) => pool.stop(0)))
        expect(tasks.open()).toBe(0)
        const byTask = Map.groupBy(holds, ({ id }) => id)
        for (const some of byTask.values())
          for (const [i, hold] of some.entries())
            if (i > 0) expect(hold.from).toBeGreaterThanOrEqual(some[i - 1]!.to)
      },
    ),
    { numRuns: runs(60) },
  )
})
