import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { turns } from '../../fakes/clock.ts'
import { poolWorld } from './pool-world.ts'

let world = poolWorld()
let { clock, tasks, listeners, start, held } = world
beforeEach(() => {
  world = poolWorld()
  ;({ clock, tasks, listeners, start, held } = world)
})
afterEach(async () => {
  await world.end()
})

describe('opening', () => {
  test('nothing is claimed before, and then at once', async () => {
    const queue = tasks.queue('only')
    tasks.add('only', 't1')
    const opening = Promise.withResolvers<void>()
    start([queue], undefined, { opening: opening.promise })
    await turns()
    expect(queue.looks).toEqual([])
    opening.resolve()
    await turns()
    expect(tasks.log).toEqual(['done t1'])
  })

  test('a pool that is stopped before has claimed nothing', async () => {
    tasks.add('only', 't1')
    const pool = start([tasks.queue('only')], undefined, { opening: new Promise(() => {}) })
    await pool.stop(30_000)
    expect(tasks.log).toEqual([])
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
