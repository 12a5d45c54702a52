import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { memorySnapshots } from '../../fakes/snapshot-store.ts'
import {
  changesOf,
  drive,
  eventsIn,
  expectSettled,
  headOf,
  matcherWorld,
  type World,
} from './matcher-world.ts'

/* A log that was copied has the same events at other positions: what the graph streams say of the old ones still holds. */

const split = { maxEntries: 6, maxEventBytes: 2000, maxAppendBytes: 400 }

/** The same events, in the same order. */
const moved = async ({ store, snapshots }: World, gap: bigint): Promise<World> => {
  const world = matcherWorld(snapshots, gap)
  const all = await store.readAll(-1n, {}, 1_000_000)()
  if (isLeft(all)) throw new Error(all.left.reason)
  for (const { stream, id, type, data, metadata } of all.right.events)
    await world.append(stream, { id, type, data, metadata })
  return world
}

const catalogue = async (): Promise<World> => {
  const world = matcherWorld(memorySnapshots(), 10n)
  for (let i = 0; i < 8; i++) await world.observe(`w${i}`, i % 2 ? [`w${i - 1}`] : [])
  await world.startGeneration(2)
  await drive(world, world.newMatcher({ split }))
  return world
}

describe.each([
  ['smaller', 1n],
  ['greater', 100n],
])('a log whose positions are %s', (_, gap) => {
  test('nothing is published again, and what comes then is published', async () => {
    const world = await moved(await catalogue(), gap)
    const before = await changesOf(world.store)
    await drive(world, world.newMatcher({ split }))
    expect(await changesOf(world.store)).toEqual(before)
    await world.observe('w0', ['w7'])
    await drive(world, world.newMatcher({ split }))
    expect((await changesOf(world.store)).length).toBeGreaterThan(before.length)
    await expectSettled(world, 1)
    await expectSettled(world, 2)
  })

  test('what was not published before it was copied is published', async () => {
    const old = await catalogue()
    await old.observe('w1')
    const world = await moved(old, gap)
    await drive(world, world.newMatcher({ split }))
    await expectSettled(world, 1)
    await expectSettled(world, 2)
  })

  test('a change that had broken off is published again', async () => {
    const old = await catalogue()
    for (let i = 1; i < 8; i++) await old.observe(`w${i}`, [`w${i - 1}`, 'nobody'])
    old.faults.push('none', 'none', 'none', 'before')
    await expect(drive(old, old.newMatcher({ split }), { patience: 0 })).rejects.toThrow('cut off')
    const world = await moved(old, gap)
    for (let i = 1; i < 8; i++) await world.observe(`w${i}`)
    await drive(world, world.newMatcher({ split }))
    await expectSettled(world, 1)
    await expectSettled(world, 2)
  })
})

test('a fact that is gone from the log: everything is published again, and stays published', async () => {
  const world = await catalogue()
  const facts = await eventsIn(world.store, 'work-w7')
  await world.store.deleteStream('work-w7', facts.at(-1)!.revision, 'tombstone')()
  const before = await changesOf(world.store)
  await world.observe('w0', ['w6'])
  const one = world.newMatcher()
  await drive(world, one)
  const after = (await changesOf(world.store)).slice(before.length)
  expect(after.flatMap(({ groups }) => groups.flatMap(({ members }) => members)).length).toBeGreaterThan(3)
  expect(one.ownCheckpoint!.reached()).toBe(await headOf(world.store))
})
