import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import {
  changesOf,
  drive,
  expectOrder,
  expectSettled,
  graphEventsOf,
  headOf,
  matcherWorld,
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

describe('a new generation', () => {
  const ids = Array.from({ length: 30 }, (_, i) => `w${String(i).padStart(2, '0')}`)
  const listedIn = async (generation: number) =>
    (await graphEventsOf(world.store, generation)).filter(({ type }) => type === 'GraphListed')

  beforeEach(async () => {
    for (const [i, id] of ids.entries()) await world.observe(id, i % 3 === 0 ? [] : [ids[i - 1]!])
    matching = world.newMatcher({ listBatchSize: 6 })
    await drive(world, matching)
  })

  test('gets every component once, in chunks of a version each, and then that it was', async () => {
    await world.startGeneration(2)
    await drive(world, matching)
    const changes = await changesOf(world.store, 2)
    expect(new Set(changes.map(({ version }) => version)).size).toBe(5)
    expect(changes.flatMap(({ groups }) => groups)).toHaveLength(10)
    expect(await listedIn(2)).toEqual([
      {
        type: 'GraphListed',
        data: {
          version: changes.at(-1)!.version,
          through: (await changesOf(world.store))[0]!.through,
          last: { work: ids.at(-1), revision: 0 },
          components: 10,
          at: world.clock.now(),
        },
      },
    ])
    await expectSettled(world, 2)
    expect(matching.ownCheckpoint!.reached()).toBe(await headOf(world.store))
  })

  test('live updates go on meanwhile, into both', async () => {
    await world.startGeneration(2)
    const { signal } = new AbortController()
    let after = await matching.ownCheckpoint!.load(signal)
    for (let i = 0; i < 8; i++) {
      await world.observe(ids[i * 3]!, [ids[29 - i]!])
      const batch = await world.store.readAll(after, matching.filter, 1000)()
      if (isLeft(batch)) throw new Error('away')
      expect(await matching.handle(batch.right, () => true, signal)).toBe(true)
      after = batch.right.position
      if (i === 2) expect(await listedIn(2)).toEqual([])
      if (i === 2) expect(matching.ownCheckpoint!.reached()).toBeLessThan(after)
    }
    await drive(world, matching)
    await expectSettled(world, 1)
    await expectSettled(world, 2)
    expect(await listedIn(2)).toHaveLength(1)
    const live = (await changesOf(world.store, 2)).filter(({ causes }) => causes.length > 0)
    expect(live).toHaveLength(8)
  })

  test('a restart in the middle begins the listing again, and publishes generation 1 nothing', async () => {
    const before = await publishedNow(1)
    await world.startGeneration(2)
    let left = 2
    await drive(world, matching, { isLeader: () => left-- > 0 })
    expect(await listedIn(2)).toEqual([])
    await drive(world, world.newMatcher({ listBatchSize: 6 }))
    await expectSettled(world, 2)
    expect(await listedIn(2)).toHaveLength(1)
    expect(await publishedNow(1)).toEqual(before)
    await drive(world, world.newMatcher())
    expect(await listedIn(2)).toHaveLength(1)
  })

  test('of an empty log is listed at once', async () => {
    world = matcherWorld()
    await world.startGeneration(2)
    await drive(world, world.newMatcher())
    expect(await graphEventsOf(world.store, 2)).toMatchObject([
      { type: 'GraphListed', data: { components: 0, version: 0 } },
    ])
  })

  test('once it is dropped nothing is added to it', async () => {
    await world.startGeneration(2)
    await drive(world, matching)
    await world.dropGeneration(2)
    await drive(world, matching)
    const before = await publishedNow(2)
    await world.observe('w00')
    await drive(world, matching)
    await world.observe('w00')
    await drive(world, world.newMatcher())
    expect(await publishedNow(2)).toEqual(before)
    await expectSettled(world, 1)
  })

  test('the first one may be dropped, for one that was not even listed', async () => {
    await world.startGeneration(2)
    let left = 2
    await drive(world, matching, { isLeader: () => left-- > 0 })
    await world.dropGeneration(1)
    await world.observe('w00')
    await drive(world, world.newMatcher({ listBatchSize: 6 }))
    await expectSettled(world, 2)
    expectOrder(await changesOf(world.store, 2))
  })
})
