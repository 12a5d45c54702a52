import { describe, expect, test } from 'vitest'
import { graphStream } from '../../../src/domain/matching/graph/events.ts'
import { history } from '../../../src/projections/matching/questions/history.ts'
import { event } from '../../contracts/new-event.ts'
import storedHalf from '../../domain/matching/stored-half-change.json' with { type: 'json' }
import { changesOf, drive, expectSettled, matcherWorld } from './matcher-world.ts'
import { dieAfter, graphsIn, partition, split, watch } from './takeover-world.ts'

describe('given a hub of six that falls apart, and a matcher that died in the middle of telling it', () => {
  const begin = async () => {
    const world = matcherWorld()
    const spokes = ['b', 'c', 'd', 'e', 'f']
    await world.observe('a')
    for (const id of spokes) await world.observe(id, ['a'])
    await drive(world, world.newMatcher({ split }))
    const watched = watch(world)
    await watched.follow()
    await world.observe('a', [], 'deleted')
    await dieAfter(world, 3, 'before')
    const told = watched.sent.length
    const before = graphsIn(watched)
    await watched.follow()
    return { world, watched, told, before }
  }

  test('when nobody goes on, then nothing of it is sent or shown', async () => {
    const { world, watched, told, before } = await begin()
    expect((await changesOf(world.store)).at(-1)).toMatchObject({ part: 2 })
    expect(watched.sent).toHaveLength(told)
    expect(graphsIn(watched)).toEqual(before)
    expect(watched.viewStore.query('matching-parts', {})).toHaveLength(3)
  })

  test('when another goes on, with newer facts, then one change of another version tells it all', async () => {
    const { world, watched, told } = await begin()
    const [abandoned] = (await changesOf(world.store)).slice(-1)
    await world.observe('b', ['c'])
    await drive(world, world.newMatcher({ split }))
    await watched.follow()
    await expectSettled(world)
    const versions = new Set(watched.sent.slice(told).map(({ version }) => version))
    expect(versions.size).toBe(1)
    expect(versions).not.toContain(abandoned!.version)
    expect(
      graphsIn(watched)
        .map(({ works }) => works)
        .sort(),
    ).toEqual(['a', 'b c', 'd', 'e', 'f'])
    expect(watched.viewStore.query('matching-parts', {})).toEqual([])
    // Two came with the history, and five have left since: once.
    const lost = history(watched.viewStore, 'b')?.filter(({ what }) => what === 'left' || what === 'lost')
    expect(lost).toHaveLength(1)
  })

  test('when the very same matcher goes on after the failure, then it finishes the change, under its version', async () => {
    const world = matcherWorld()
    await world.observe('a')
    for (const id of ['b', 'c', 'd']) await world.observe(id, ['a'])
    const matcher = world.newMatcher({ split })
    world.faults.push('none', 'before')
    await expect(drive(world, matcher, { patience: 0 })).rejects.toThrow('cut off')
    await world.observe('d')
    await drive(world, matcher)
    const changes = await changesOf(world.store)
    const [first] = Map.groupBy(changes, ({ version }) => version).values()
    expect(first?.flatMap(({ groups }) => groups.flatMap(({ members }) => members)).sort()).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => [id, 0]),
    )
    await expectSettled(world)
  })
})

describe('given a stream of an older matcher, which died over a hub that fell apart and told of two of four', () => {
  test('when another goes on, then what was shown of it is put right, and what was not told is', async () => {
    const world = matcherWorld()
    await world.observe('a')
    for (const id of ['b', 'c', 'd']) await world.observe(id, ['a'])
    const [whole, ...half] = storedHalf.map((data) => event('GraphChanged', data))
    await world.append(graphStream(1), whole!)
    await world.observe('a', [], 'deleted')
    await world.append(graphStream(1), ...half)
    const watched = watch(world)
    await watched.follow()
    expect(partition(watched)).toEqual(['a c d', 'b'])

    await drive(world, world.newMatcher({ split }))
    await watched.follow()
    await expectSettled(world)
    expect(partition(watched)).toEqual(['a', 'b', 'c', 'd'])
    const after = watched.sent.filter(({ version }) => version > storedHalf[1]!.version)
    expect(after.map(({ component }) => component).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(new Set(after.map(({ version }) => version)).size).toBe(1)
  })
})
