import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { workStream } from '../../../src/domain/matching/work.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import {
  changesOf,
  drive,
  expectSettled,
  headOf,
  matcherWorld,
  observed,
  published,
  type World,
} from './matcher-world.ts'

let world: World
let matching: Subscription

beforeEach(() => {
  world = matcherWorld()
  matching = world.newMatcher()
})

const publishedNow = async (generation = 1) => published(await changesOf(world.store, generation))
const seconds = (count: number) => world.clock.advance(count * 1000)

describe('when it publishes', () => {
  const withoutAge = { farBehindMillis: 10_000 }

  test('far behind: it folds on, and publishes each component once when it has caught up', async () => {
    for (let i = 0; i < 30; i++) await world.observe('a', [`b${i % 3}`])
    seconds(60)
    matching = world.newMatcher(withoutAge)
    await drive(world, matching, { batchSize: 4 })
    expect(await publishedNow()).toEqual(['a'])
    await expectSettled(world)
  })

  test('a little behind: together, but so many at once', async () => {
    for (let i = 0; i < 8; i++) await world.observe('a')
    await drive(world, world.newMatcher({ batchSize: 6 }), { batchSize: 3 })
    expect(await publishedNow()).toEqual(['a', 'a'])
  })

  test('far behind, but too much waits', async () => {
    for (let i = 0; i < 30; i++) await world.observe('a')
    seconds(60)
    matching = world.newMatcher({ maxUnpublished: 10 })
    await drive(world, matching, { batchSize: 5 })
    expect(await publishedNow()).toEqual(['a', 'a', 'a'])
  })

  test('what is folded in and not published is not reached', async () => {
    for (let i = 0; i < 8; i++) await world.observe('a')
    seconds(60)
    let reached = 0n
    const isLeader = () => {
      reached = matching.ownCheckpoint!.reached()
      return true
    }
    await drive(world, matching, { batchSize: 4, isLeader })
    expect(reached).toBe(-1n)
    expect(matching.ownCheckpoint!.reached()).toBe(await headOf(world.store))
  })

  test('an event that cannot be read stops it; what came before is published', async () => {
    await world.observe('a')
    await world.append(workStream('b'), event('WorkSplit', {}))
    await world.observe('c')
    await expect(drive(world, matching)).rejects.toThrow(/work-b at position 2: no event type WorkSplit/)
    expect(await publishedNow()).toEqual(['a'])
    expect(matching.ownCheckpoint!.reached()).toBe(0n)
  })

  test('an id that no change could name stops it too', async () => {
    await world.append('work- b', observed([]))
    await expect(drive(world, matching)).rejects.toThrow(/begins or ends with a space/)
  })
})

describe('the fence', () => {
  test('two matchers at once: one is refused and begins anew; nothing is lost, versions grow strictly', async () => {
    const other = world.newMatcher()
    await world.observe('a', ['b'])
    await drive(world, matching)
    await drive(world, other)
    await world.observe('b')
    await drive(world, other)
    await world.observe('c', ['b'])
    await drive(world, matching)
    await world.observe('c')
    await drive(world, other)
    expect(world.telemetry.counted('failures', 'reason')).toEqual({ fenced: 2 })
    expect(await publishedNow()).toEqual(['a', 'a b', 'a b c', 'a b, c'])
    await expectSettled(world)
  })

  test('Old process wakes after fail-over: its append is refused', async () => {
    await world.observe('a')
    await world.observe('b')
    let stopped = true
    await drive(world, matching, { isLeader: () => !stopped })
    expect(await publishedNow()).toEqual([])
    await world.observe('b', ['a'])
    await drive(world, world.newMatcher())
    stopped = false
    await drive(world, matching)
    expect(world.telemetry.counted('failures', 'reason')).toEqual({ fenced: 1 })
    expect(await publishedNow()).toEqual(['a b'])
  })
})

describe('failures on the way', () => {
  test('an append whose outcome is unknown is repeated as it was, and is there once', async () => {
    await world.observe('a')
    world.faults.push('after')
    await drive(world, matching)
    expect(world.appends).toHaveLength(2)
    expect(world.appends[1]).toEqual(world.appends[0])
    expect(await publishedNow()).toEqual(['a'])
    expect(world.telemetry.counted('failures', 'reason')).toEqual({})
  })

  test('away before it: published later, with the facts of then, and what comes meanwhile in a change of its own', async () => {
    await world.observe('a')
    world.faults.push('before', 'before')
    await expect(drive(world, matching, { patience: 0 })).rejects.toThrow(UnavailableError)
    await world.observe('a', ['b'])
    await drive(world, matching)
    expect(await publishedNow()).toEqual(['a', 'a'])
    await expectSettled(world)
  })

  test('stopped in the middle of a change: it is finished when it goes on', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `w${i}`)
    for (const id of ids) await world.observe(id, ['w0'])
    matching = world.newMatcher({ split: { maxEntries: 10, maxEventBytes: 1000, maxAppendBytes: 2000 } })
    let left = 2
    await drive(world, matching, { isLeader: () => left-- > 0 })
    expect(world.appends).toHaveLength(2)
    await drive(world, matching)
    expect(await publishedNow()).toHaveLength(1)
    await expectSettled(world)
  })

  test('the log too small for a change: it says so', async () => {
    const small = matcherWorld()
    await small.observe('a')
    const { store } = small
    const tight = {
      ...store,
      append: () => async () => ({ _tag: 'Left', left: { kind: 'TooLarge', bytes: 9, limit: 5 } }),
    }
    Object.assign(store, tight)
    await expect(drive(small, small.newMatcher(), { patience: 0 })).rejects.toThrow(/5 bytes an append/)
  })

  test('a pair that was published by a change that broke off, and that is parted since, is published again', async () => {
    const split = { maxEntries: 4, maxEventBytes: 10_000, maxAppendBytes: 1 }
    for (const id of ['a', 'b', 'c', 'd']) await world.observe(id)
    await drive(world, world.newMatcher({ split }))
    await world.observe('a', ['b'])
    await world.observe('c')
    await world.observe('d')
    world.faults.push('none', 'before')
    await expect(drive(world, world.newMatcher({ split }), { patience: 0 })).rejects.toThrow(UnavailableError)
    await world.observe('a')
    await drive(world, world.newMatcher({ split }))
    await expectSettled(world)
  })

  test('a restart after a change that is whole publishes nothing again', async () => {
    await world.observe('a')
    await world.observe('b')
    await drive(world, matching)
    const before = await publishedNow()
    await drive(world, world.newMatcher())
    await world.observe('b')
    await drive(world, world.newMatcher())
    expect(await publishedNow()).toEqual([...before, 'b'])
  })
})
