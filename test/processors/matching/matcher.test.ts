import { isLeft } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import { graphStream } from '../../../src/domain/matching/graph/events.ts'
import { workStream } from '../../../src/domain/matching/work.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import {
  changesOf,
  drive,
  eventsIn,
  expectOrder,
  expectSettled,
  graphEventsOf,
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

describe('what a change says', () => {
  test('its facts, the components they touched, and up to where all facts have been published', async () => {
    await world.observe('b', ['a'])
    await world.observe('a', ['x', 'y'])
    const head = await headOf(world.store)
    await drive(world, matching)
    expect(await graphEventsOf(world.store)).toEqual([
      {
        type: 'GraphChanged',
        data: {
          version: Date.parse('2026-01-01T00:00:00.000Z') * 1000,
          timeSent: '2026-01-01T00:00:00.000Z',
          through: head.toString(),
          last: { work: 'a', revision: 0 },
          causes: [
            { work: 'a', revision: 0, type: 'WorkObserved' },
            { work: 'b', revision: 0, type: 'WorkObserved' },
          ],
          groups: [
            {
              component: 'a',
              size: 2,
              piece: 0,
              pieces: 1,
              members: [
                ['a', 0],
                ['b', 0],
              ],
              placeholders: ['x', 'y'],
            },
          ],
          dropped: [],
        },
      },
    ])
    const [first] = await eventsIn(world.store, workStream('b'))
    const [change] = await eventsIn(world.store, graphStream(1))
    expect(change!.metadata).toEqual({
      actor: 'fonds/matcher',
      causationId: first!.id,
      correlationId: 'conversation',
      schema: 1,
    })
    expect(matching.ownCheckpoint!.reached()).toBe(await headOf(world.store))
  })

  test('placeholders that nobody names any more', async () => {
    await world.observe('a', ['x', 'y'])
    await drive(world, matching)
    await world.observe('a', ['y'])
    await drive(world, matching)
    expect((await changesOf(world.store)).map(({ dropped }) => dropped)).toEqual([[], ['x']])
  })

  test('M3: every group of a change has the same time and version', async () => {
    await world.observe('a')
    await world.observe('b')
    await drive(world, matching)
    const [change, ...others] = await changesOf(world.store)
    expect(change!.groups.map(({ component }) => component)).toEqual(['a', 'b'])
    expect(others).toEqual([])
  })

  test('M4: who shares a component gets the version of the change; others keep theirs', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await world.observe('c')
    await drive(world, matching)
    seconds(5)
    await world.observe('b')
    await drive(world, matching)
    const changes = await changesOf(world.store)
    expect(published(changes)).toEqual(['a b, c', 'a b'])
    expect(changes[1]!.timeSent).toBe('2026-01-01T00:00:05.000Z')
    expect(changes[1]!.version).toBe(changes[0]!.version + 5_000_000)
  })

  test('M6, M13: a link that goes moves the version of both sides, in one change', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await drive(world, matching)
    await world.observe('a')
    await drive(world, matching)
    expect(await publishedNow()).toEqual(['a b', 'a, b'])
    await expectSettled(world)
  })

  test('the worked example: A and D keep their version, B and C get a new one', async () => {
    for (const [id, link] of ['ab', 'cd', 'dc'] as const) await world.observe(id!, [link!])
    await world.observe('b')
    await drive(world, matching)
    for (const [id, link] of ['da', 'ad', 'cb', 'bc'] as const) {
      seconds(1)
      await world.observe(id!, [link!])
      await drive(world, matching)
    }
    expect(await publishedNow()).toEqual(['a b, c d', 'a b c d', 'a c d, b', 'a d, b c', 'b c'])
    await expectSettled(world)
  })

  test('Deletion of a lone work: a group of one', async () => {
    await world.observe('a')
    await drive(world, matching)
    await world.observe('a', [], 'deleted')
    await drive(world, matching)
    expect(await publishedNow()).toEqual(['a', 'a'])
  })

  test('M18: a component that a person wants again is published again, though nothing changed', async () => {
    await world.observe('a', ['b'])
    await world.observe('b')
    await drive(world, matching)
    await world.append(workStream('a'), event('ResendRequested', { reason: 'lost', at: world.clock.now() }))
    await drive(world, matching)
    const [, again] = await changesOf(world.store)
    expect(again).toMatchObject({
      causes: [{ work: 'a', revision: 1, type: 'ResendRequested' }],
      groups: [
        {
          members: [
            ['a', 1],
            ['b', 0],
          ],
        },
      ],
    })
    await expectSettled(world)
  })

  test('a component of 5,000 works goes in pieces, of one version, and through when all are there', async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `w${String(i).padStart(4, '0')}`)
    for (const [i, id] of ids.entries()) await world.observe(id, [ids[i + 1] ?? ids[0]!])
    await drive(world, matching, { batchSize: 10_000 })
    const changes = await changesOf(world.store)
    expect(changes.length).toBeGreaterThan(9)
    expect(new Set(changes.map(({ version }) => version)).size).toBe(1)
    await expectSettled(world)
  })

  test('Component above the alarm size: processed, the alarm raised, once', async () => {
    const matching = world.newMatcher({ alarmSize: 3 })
    for (const [id, link] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['x', 'y'],
      ['y', 'x'],
    ] as const)
      await world.observe(id, [link])
    await drive(world, matching)
    await world.observe('b', ['a'])
    await drive(world, matching)
    expect(world.warnings).toMatchObject([
      { component: 'a', works: 3, msg: expect.stringContaining('too large') },
    ])
    await expectSettled(world)
  })

  test('long ids: a change is several appends, and the last of them alone says through', async () => {
    const ids = Array.from({ length: 400 }, (_, i) => `${i}`.padEnd(2000, 'x'))
    for (const [i, id] of ids.entries()) await world.observe(id, [ids[i + 1] ?? ids[0]!])
    const head = await headOf(world.store)
    await drive(world, matching)
    expect(world.appends.length).toBeGreaterThan(3)
    const last = world.appends.at(-1)!.ids.length
    const throughs = (await changesOf(world.store)).map(({ through }) => through)
    expect(throughs.slice(0, -last).every((through) => through === '-1')).toBe(true)
    expect(throughs.slice(-last).every((through) => through === `${head}`)).toBe(true)
    await expectSettled(world)
  })
})

describe('versions', () => {
  test('Two results in one clock tick: the later one is higher', async () => {
    await world.observe('a')
    await drive(world, matching)
    await world.observe('a')
    await drive(world, matching)
    const [first, second] = await changesOf(world.store)
    expect(second!.version).toBe(first!.version + 1)
    expect(second!.timeSent).toBe(first!.timeSent)
  })

  test('Clock steps back: versions and times do not, also of the next process', async () => {
    seconds(60)
    await world.observe('a')
    await drive(world, matching)
    seconds(-30)
    await world.observe('a')
    await drive(world, matching)
    seconds(-30)
    await world.observe('a')
    await drive(world, world.newMatcher())
    const changes = await changesOf(world.store)
    expect(changes.map(({ version }) => version - changes[0]!.version)).toEqual([0, 1, 2])
    expect(new Set(changes.map(({ timeSent }) => timeSent))).toEqual(new Set(['2026-01-01T00:01:00.000Z']))
  })
})

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
    for (const id of ids) await world.observe(id)
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
