import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../src/domain/kernel/time.ts'
import type { TaskQueue } from '../../../src/ports/task-queue.ts'
import type { TaskContext } from '../../../src/workers/runtime/run-task.ts'
import {
  startWorkerPool,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../../../src/workers/runtime/worker-pool.ts'
import { type FakeClock, fakeClock, turns } from '../../fakes/clock.ts'
import { type FakeQueue, type FakeTask, fakeTasks } from '../../fakes/task-queue.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

const silent = pino({ level: 'silent' })

let clock: FakeClock
let tasks: ReturnType<typeof fakeTasks>
let telemetry: ReturnType<typeof recordedTelemetry>
let listeners: Set<() => void>
let pools: WorkerPool[]
beforeEach(() => {
  clock = fakeClock()
  tasks = fakeTasks(clock)
  telemetry = recordedTelemetry()
  listeners = new Set()
  pools = []
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop(0)))
})

const tellOfNewWork = async () => {
  for (const listener of listeners) listener()
  await turns()
}
const start = (
  queues: readonly TaskQueue<FakeTask>[],
  perform: (task: FakeTask, context: TaskContext) => Promise<void> = async (task) =>
    void tasks.complete(task),
  more: Partial<WorkerPoolOptions<FakeTask>> = {},
): WorkerPool => {
  const pool = startWorkerPool<FakeTask>({
    queues,
    perform,
    concurrency: 2,
    onNewWork: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clock,
    telemetry,
    log: silent,
    name: 'tester',
    ...more,
  })
  pools.push(pool)
  return pool
}
/** Minutes after the start. */
const minutes = ({ looks }: FakeQueue) =>
  looks.map(({ at }) => (Date.parse(at) - Date.parse('2026-01-01T00:00:00.000Z')) / MINUTE)
/** Work that ends when it is told to. */
const held = () => {
  const started: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (id: string) => {
    const gate = gates.get(id) ?? Promise.withResolvers<void>()
    gates.set(id, gate)
    return gate
  }
  return {
    started,
    perform: async (task: FakeTask) => {
      started.push(task.id)
      await gateOf(task.id).promise
      tasks.complete(task)
    },
    end: async (id: string) => {
      gateOf(id).resolve()
      await turns()
    },
    fail: async (id: string, error: unknown) => {
      gateOf(id).reject(error)
      await turns()
    },
  }
}

test('the time of day is put back by a day: an empty queue is looked at as often as before', async () => {
  const queue = tasks.queue('only')
  start([queue])
  await turns()
  clock.putForth(-DAY)
  await clock.advance(3 * MINUTE)
  expect(queue.looks).toHaveLength(3)
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

  test('at most ten at a time are claimed, and never more than there are free hands', async () => {
    for (let i = 0; i < 40; i++) tasks.add('only', `t${i}`)
    const { started, perform, end } = held()
    const queue = tasks.queue('only')
    const pool = start([queue], perform, { concurrency: 23 })
    await turns()
    expect(queue.looks.map(({ limit }) => limit)).toEqual([10, 10, 3])
    expect(pool.busy()).toBe(23)
    await end('t0')
    expect(queue.looks.at(-1)?.limit).toBe(1)
    expect(started).toHaveLength(24)
    expect(telemetry.counted('tasks', 'queue')).toEqual({ only: 24 })
    expect(Math.max(...telemetry.gauged('hands_busy'))).toBe(23)
    for (let i = 1; i < 40; i++) await end(`t${i}`)
    expect(telemetry.gauged('hands_busy').at(-1)).toBe(0)
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

describe('an empty queue', () => {
  test('is looked at after 1, 2, 4, 8, 8 … minutes, and not in between', async () => {
    const queue = tasks.queue('only')
    start([queue])
    await clock.advance(60 * MINUTE)
    expect(minutes(queue)).toEqual([0, 1, 3, 7, 15, 23, 31, 39, 47, 55])
    expect(queue.asked()).toBeLessThanOrEqual(10)
  })

  test('has a back-off of its own, set back by a find', async () => {
    const [high, low] = [tasks.queue('high'), tasks.queue('low')]
    tasks.add('low', 'l1')
    start([high, low])
    await clock.advance(2 * MINUTE)
    expect(minutes(high)).toEqual([0, 1])
    // The find at 0, the look behind it that found nothing, and one minute on.
    expect(minutes(low)).toEqual([0, 0, 1])
    await clock.advance(13 * MINUTE)
    expect(minutes(low)).toEqual([0, 0, 1, 3, 7, 15])
    tasks.add('low', 'l2')
    await clock.advance(12 * MINUTE)
    expect(minutes(low)).toEqual([0, 0, 1, 3, 7, 15, 23, 23, 24, 26])
    expect(minutes(high)).toEqual([0, 1, 3, 7, 15, 23])
  })

  test('word of new work wakes at once and sets the back-off back', async () => {
    const queue = tasks.queue('only')
    start([queue])
    await clock.advance(4 * MINUTE)
    tasks.add('only', 't1')
    await tellOfNewWork()
    expect(tasks.open()).toBe(0)
    await clock.advance(4 * MINUTE)
    expect(minutes(queue)).toEqual([0, 1, 3, 4, 4, 5, 7])
  })

  test('word that comes during a look is not lost', async () => {
    const queue = tasks.queue('only')
    const gate = Promise.withResolvers<void>()
    let slow = true
    start([
      {
        ...queue,
        take: async (limit) => {
          const found = await queue.take(limit)
          if (slow) await gate.promise
          return found
        },
      },
    ])
    await turns()
    tasks.add('only', 't1')
    await tellOfNewWork()
    slow = false
    gate.resolve()
    await turns()
    expect(tasks.open()).toBe(0)
  })

  test('the nearest due time of any queue wakes it', async () => {
    tasks.add('low', 'l1', '2026-01-01T00:00:20.000Z')
    tasks.add('low', 'l2', '2026-01-01T00:05:00.000Z')
    const [high, low] = [tasks.queue('high'), tasks.queue('low')]
    start([high, low])
    await clock.advance(19_999)
    expect(tasks.open()).toBe(2)
    await clock.advance(1)
    expect(tasks.open()).toBe(1)
    await clock.advance(5 * MINUTE - 20_001)
    expect(tasks.open()).toBe(1)
    await clock.advance(1)
    expect(tasks.open()).toBe(0)
  })

  test('a task that is due but that nobody gets is no reason to spin', async () => {
    const queue = tasks.queue('only')
    const asked: string[] = []
    start([
      {
        name: 'only',
        take: async (limit) => {
          await queue.take(limit)
          return []
        },
        nextDue: async () => {
          asked.push(clock.now())
          return '2026-01-01T00:00:00.000Z'
        },
      },
    ])
    await clock.advance(60 * MINUTE)
    expect(minutes(queue)).toEqual([0, 1, 3, 7, 15, 23, 31, 39, 47, 55])
    expect(asked).toHaveLength(10)
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
    expect(String(why)).toContain('somebody else holds it now')
    expect(tasks.log).toEqual(['extend t1'])
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
    ['nothing to say', new Error(''), 'it failed without a word'],
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

describe('stopping', () => {
  test('hands finish within the grace, and nothing new is taken', async () => {
    for (const id of ['t1', 't2', 't3']) tasks.add('only', id)
    const { started, perform, end } = held()
    const pool = start([tasks.queue('only')], perform)
    await turns()
    const stopped = pool.stop(30_000)
    await clock.advance(29_999)
    await end('t1')
    await end('t2')
    await stopped
    expect(started).toEqual(['t1', 't2'])
    expect(tasks.log).toEqual(['done t1', 'done t2'])
    expect(listeners.size).toBe(0)
    expect(clock.sleepers()).toBe(0)
  })

  test('those that take longer are ended, and their tasks given back', async () => {
    for (const id of ['t1', 't2']) tasks.add('only', id)
    const { perform, end } = held()
    const pool = start([tasks.queue('only')], perform)
    await turns()
    const stopped = pool.stop(20_000)
    await end('t1')
    await clock.advance(20_000)
    await stopped
    expect(tasks.log).toEqual(['done t1', 'release (the worker was stopped) t2'])
    expect(pool.busy()).toBe(0)
    expect(clock.sleepers()).toBe(0)
    const other = tasks.queue('only', 'other')
    expect((await other.take(10)).map(({ task }) => task.id)).toEqual(['t2'])
  })

  test('tasks that arrive while it stops without grace are given back unstarted', async () => {
    tasks.add('only', 't1')
    const queue = tasks.queue('only')
    const gate = Promise.withResolvers<void>()
    const { started, perform } = held()
    const pool = start(
      [
        {
          ...queue,
          take: async (limit) => {
            await gate.promise
            return queue.take(limit)
          },
        },
      ],
      perform,
    )
    const stopped = pool.stop(0)
    await turns()
    gate.resolve()
    await stopped
    expect(started).toEqual([])
    expect(tasks.log).toEqual(['release (the worker was stopped) t1'])
  })

  test('a resting pool stops at once', async () => {
    const pool = start([tasks.queue('only')])
    await turns()
    await pool.stop(30_000)
    expect(clock.sleepers()).toBe(0)
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
        clock = fakeClock()
        tasks = fakeTasks(clock)
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
    { numRuns: 60 },
  )
})
