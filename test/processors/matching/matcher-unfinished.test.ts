import { expect, test } from 'vitest'
import { changesOf, drive, expectSettled, matcherWorld } from './matcher-world.ts'

/* Changes that were published in part when a matcher died, and what the facts behind them make of it. */

test('a placeholder that one generation got, and the facts have taken back since, is taken back from it', async () => {
  const world = matcherWorld()
  await world.observe('a')
  await world.startGeneration(2)
  const first = world.newMatcher()
  await drive(world, first)
  await world.observe('a', ['nobody'])
  world.faults.push('none', 'before')
  await expect(drive(world, first, { patience: 0 })).rejects.toThrow('cut off')
  const published = await Promise.all([1, 2].map((generation) => changesOf(world.store, generation)))
  expect(published.map((changes) => changes.at(-1)!.groups[0]!.placeholders.length).sort()).toEqual([0, 1])

  await world.observe('a')
  await drive(world, world.newMatcher())
  await expectSettled(world, 1)
  await expectSettled(world, 2)
})

test('also from one that was being listed then', async () => {
  const world = matcherWorld()
  const listBatchSize = 1
  for (const id of ['a', 'b', 'c', 'd']) await world.observe(id, id === 'a' ? ['nobody'] : [])
  const first = world.newMatcher({ listBatchSize })
  await drive(world, first)
  await world.startGeneration(2)
  const { signal } = new AbortController()
  const batch = await world.store.readAll(await first.ownCheckpoint!.load(signal), first.filter, 100)()
  if (batch._tag === 'Left') throw new Error('away')
  await first.handle(batch.right, () => true, signal)
  expect((await changesOf(world.store, 2)).flatMap(({ groups }) => groups)).toHaveLength(1)

  await world.observe('a')
  world.faults.push('none', 'before')
  await expect(drive(world, first, { patience: 0 })).rejects.toThrow('cut off')
  await drive(world, world.newMatcher({ listBatchSize }))
  await expectSettled(world, 1)
  await expectSettled(world, 2)
})
