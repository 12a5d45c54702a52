import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addMillis, DAY, MINUTE } from '../../../src/domain/kernel/time.ts'
import { turns } from '../../fakes/clock.ts'
import { minutes, poolWorld } from './pool-world.ts'

let world = poolWorld()
let { clock, tasks, tellOfNewWork, start } = world
beforeEach(() => {
  world = poolWorld()
  ;({ clock, tasks, tellOfNewWork, start } = world)
})
afterEach(async () => {
  await world.end()
})

test('the time of day is put back by a day: an empty queue is looked at as often as before', async () => {
  const queue = tasks.queue('only')
  start([queue])
  await turns()
  clock.putForth(-DAY)
  await clock.advance(3 * MINUTE)
  expect(queue.looks).toHaveLength(3)
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

  test('a task that becomes due right after a look is taken at once, and not a minute later', async () => {
    tasks.add('only', 't1', addMillis(clock.now(), 5))
    const queue = tasks.queue('only')
    start([
      {
        ...queue,
        // As views answer: what is due by then could have been taken before.
        nextDue: async (emptySince) => {
          clock.putForth(10)
          const since = emptySince ?? clock.now()
          const due = await queue.nextDue()
          return due !== undefined && due > since ? due : undefined
        },
      },
    ])
    await clock.advance(50)
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
