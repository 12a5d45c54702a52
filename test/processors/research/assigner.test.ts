import { beforeEach, describe, expect, test } from 'vitest'
import { episodeDecider } from '../../../src/domain/research/episode/decide.ts'
import { defaultPolicy } from '../../../src/domain/research/policy/policy.ts'
import { episodeStream } from '../../../src/domain/research/terms.ts'
import { event } from '../../contracts/new-event.ts'
import { type AssignerWorld, pairsLeasedTwice } from './assigner-world.ts'
import { useAssigner } from './use-assigner.ts'

const { now, start, many, situation, added } = useAssigner()
let world: AssignerWorld
beforeEach(() => {
  world = now()
})

describe('the capacity loop', () => {
  test.each([
    ['L3', 0, 0, 1],
    ['L4', 0, 1, 0],
    ['L5, L6', 3, 4, 0],
    ['L6', 1, 1, 1],
    ['L8', 5, 2, 4],
    ['L8', 4, 0, 5],
  ])('%s: with %i researchers and %i items, adds %i', async (_, researchers, queued, expected) => {
    await situation(researchers, queued)
    expect(await added(queued)).toBe(expected)
  })

  test('what it came to is kept once, with the last readings', async () => {
    await situation(5, 2)
    await added(2)
    expect(await world.capacity()).toEqual([
      { researchers: 5, queued: 6, added: 4, stopped: 'surplus', at: world.clock.now() },
    ])
  })

  test('where the stream of decisions was deleted for good, work is handed out all the same', async () => {
    await situation(2, 0)
    await world.capacityDeleted()
    start()
    await world.settled()
    await world.take((await world.grants())[0]!)
    await world.settled()
    expect(await world.grants()).toHaveLength(4)
    expect(world.warnings).toEqual([])
  })

  test('L9, F24: nothing to be leased is no error, and is said once', async () => {
    await world.clip('c0')
    await world.episode('e0')
    await many(2, world.researcher, 'r')
    await world.grant('e0', 'one', ['c0'])
    await world.take({ episode: 'e0', lease: 'one' })
    expect(await added(1)).toBe(0)
    await world.clip('c0', 7)
    await world.settled()
    expect(await world.capacity()).toMatchObject([
      { researchers: 2, queued: 0, added: 0, stopped: 'no-work' },
    ])
    expect(world.warnings).toEqual([])
  })

  test('F23: an archive without any research is told nothing', async () => {
    await world.researcher('r0')
    await added(0)
    expect(await world.capacity()).toEqual([])
  })

  test('paused, it adds nothing until it is resumed', async () => {
    await situation(2, 0)
    await world.assigning('Pause')
    expect(await added(0)).toBe(0)
    await world.assigning('Resume')
    await world.settled()
    expect((await world.grants()).length).toBe(3)
    expect((await world.capacity()).map(({ stopped }) => stopped)).toEqual(['paused', 'surplus'])
  })

  test('L22: five clips at most two at once: 2, 2 and 1, in one append', async () => {
    await world.policy({ maxClips: 2 })
    await many(5, world.clip, 'c')
    await world.episode('e0')
    await many(5, world.researcher, 'r')
    await added(0)
    const grants = await world.grants()
    expect(grants.map(({ clips }) => clips)).toEqual([['c0', 'c1'], ['c2', 'c3'], ['c4']])
    expect(new Set(grants.map(({ lease }) => lease)).size).toBe(3)
    const leases = (await world.eventsIn('episode')).filter(({ type }) => type === 'LeaseGranted')
    expect(new Set(leases.map(({ metadata }) => metadata.causationId)).size).toBe(1)
  })

  test('the lease is by the settings in force', async () => {
    await situation(0, 0)
    await world.policy({ leaseSeconds: 1000, itemSeconds: 100, gapSeconds: 10, longestLeaseSeconds: 2000 })
    await added(0)
    expect(await world.grants()).toMatchObject([
      {
        policy: 2,
        leaseSeconds: 1000,
        notAfter: '2026-01-01T00:01:40.000Z',
        deadline: '2026-01-01T00:16:40.000Z',
        endsBy: '2026-01-01T00:33:20.000Z',
      },
    ])
  })

  test('a bounded number in one turn, and as many turns as it takes', async () => {
    await situation(20, 0)
    start(world.newAssigner({ maxItems: 4, maxCharacters: 6 }))
    await world.settled()
    expect(await world.grants()).toHaveLength(21)
    expect(await world.capacity()).toMatchObject([{ added: 21, queued: 21, stopped: 'surplus' }])
  })

  test('L7: an item that is taken makes room for another', async () => {
    await situation(1, 0)
    expect(await added(0)).toBe(2)
    const [first] = await world.grants()
    await world.take(first!)
    await world.settled()
    expect(await world.grants()).toHaveLength(3)
    await world.leave('r0')
    await world.take((await world.grants())[1]!)
    await world.settled()
    expect(await world.grants()).toHaveLength(3)
  })
})

test('a run in which items go as fast as they come is told of when it ends, or a second later', async () => {
  // One item an episode: taking one is no conflict with granting the next.
  await world.clip('c0')
  await many(20, world.episode, 'e')
  await world.researcher('r0')
  await added(0)
  const takeNext = async () => {
    const grants = await world.grants()
    const taken = (await world.eventsIn('episode')).filter(({ type }) => type === 'WorkItemTaken')
    await world.take(grants[taken.length]!)
  }
  world.before.push(takeNext, takeNext, takeNext)
  await takeNext()
  await world.settled()
  expect((await world.capacity()).map(({ added }) => added)).toEqual([2, 4])
  const takeLater = async () => {
    await world.clock.advance(1000)
    await takeNext()
  }
  world.before.push(takeLater, takeNext)
  await takeNext()
  await world.settled()
  expect((await world.capacity()).map(({ added }) => added)).toEqual([2, 4, 2, 1])
})

describe('settings at their extremes', () => {
  test('leases of two seconds: one after the other, and nothing spins', async () => {
    await situation(0, 0)
    await world.policy({ leaseSeconds: 2, itemSeconds: 1, gapSeconds: 1 })
    start()
    await world.settled()
    await world.clock.advance(10_000)
    await world.settled()
    // One a second: each lapses, with nobody there, and is offered again (L3).
    expect(await world.grants()).toHaveLength(11)
    expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
  })

  test('ten thousand clips in one item', async () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `clip-${i}`)
    await Promise.all(ids.map((id) => world.clip(id)))
    await world.episode('e0')
    await world.policy({ maxClips: 10_000 })
    await many(3, world.researcher, 'r')
    expect(await added(0)).toBe(2)
    const grants = await world.grants()
    expect(grants.map(({ clips }) => clips.length)).toEqual([10_000, 10_000])
    expect(new Set(grants.flatMap(({ clips }) => clips)).size).toBe(20_000)
  })

  test('set while leases run: they keep their own, the next one goes by the new', async () => {
    await situation(1, 0)
    start()
    await world.settled()
    await world.policy({ leaseSeconds: 60, itemSeconds: 30, gapSeconds: 30, maxClips: 5 })
    await world.take((await world.grants())[0]!)
    await world.settled()
    const [old, , next] = await world.grants()
    expect([old!.leaseSeconds, old!.policy, old!.clips.length]).toEqual([7200, 1, 1])
    expect([next!.leaseSeconds, next!.policy, next!.clips.length]).toEqual([60, 2, 5])
    await world.clock.advance(61_000)
    expect(
      await world.give(episodeDecider, episodeStream('e0'), {
        type: 'Extend',
        lease: old!.lease,
        researcher: 'r0',
      }),
    ).toMatchObject({ kind: 'done' })
  })
})

describe('the duty', () => {
  const batchOf = async (one: ReturnType<AssignerWorld['newAssigner']>, caughtUp: boolean) => {
    const after = await one.ownCheckpoint!.load(new AbortController().signal)
    const read = await world.store.readAll(after, one.filter, 1000)()
    if (read._tag === 'Left') throw new Error(read.left.reason)
    return { ...read.right, caughtUp }
  }
  const { signal } = new AbortController()

  test('while it catches up nothing is handed out', async () => {
    await situation(2, 0)
    const one = world.newAssigner()
    expect(await one.handle(await batchOf(one, false), () => true, signal)).toBe(true)
    await world.clock.advance(defaultPolicy.leaseSeconds * 1000)
    expect(await world.grants()).toEqual([])
    expect(await one.handle(await batchOf(one, true), () => true, signal)).toBe(true)
    expect(await world.grants()).toHaveLength(3)
    await one.ownCheckpoint!.end()
  })

  test('in another process, it stops at once', async () => {
    await situation(2, 0)
    const one = world.newAssigner()
    expect(await one.handle(await batchOf(one, true), () => false, signal)).toBe(false)
    expect(await world.grants()).toEqual([])
    let asked = 0
    // Lost while the grants are written: no more is written behind them.
    expect(await one.handle(await batchOf(one, true), () => ++asked < 2, signal)).toBe(false)
    expect(await world.grants()).toHaveLength(3)
    expect(await world.capacity()).toEqual([])
    await one.ownCheckpoint!.end()
  })

  test('what cannot be read is stood before: nothing is handed out by half of what is known', async () => {
    await situation(2, 0)
    await world.store.append(episodeStream('e1'), 'any', [event('SungTo', {})])()
    await world.episode('e9', 9)
    start()
    await world.settled()
    expect(await world.grants()).toEqual([])
    expect(world.warnings[0]).toMatchObject({
      err: { message: expect.stringMatching(/^episode-e1 at position \d+: .*SungTo.*No work is assigned/) },
    })
  })
})
