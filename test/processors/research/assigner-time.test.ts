import { beforeEach, describe, expect, test } from 'vitest'
import { addMillis, DAY, MINUTE } from '../../../src/domain/kernel/time.ts'
import { defaultPolicy } from '../../../src/domain/research/policy/policy.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { type AssignerWorld, pairsLeasedTwice } from './assigner-world.ts'
import { useAssigner } from './use-assigner.ts'

const { now, start, situation, added } = useAssigner()
let world: AssignerWorld
beforeEach(() => {
  world = now()
})

describe('time alone', () => {
  test('F25: researchers that leave during a run count no more in the next turn', async () => {
    await situation(5, 0)
    world.before.push(async () => {
      for (const id of ['r1', 'r2', 'r3', 'r4']) await world.leave(id)
    })
    start(world.newAssigner({ maxItems: 1 }))
    await world.settled()
    // The one that was on its way, and another: R is 1 then.
    expect(await world.grants()).toHaveLength(2)
    expect((await world.capacity()).at(-1)).toMatchObject({ researchers: 1, queued: 2, stopped: 'surplus' })
  })

  test('F30: items that the broker lost hold their pairs, and are made up for when they would be stale', async () => {
    await situation(2, 0)
    expect(await added(0)).toBe(3)
    await world.clock.advance(defaultPolicy.itemSeconds * 1000)
    await world.settled()
    expect(await world.grants()).toHaveLength(6)
    // And the pairs come back when their leases end.
    await world.clock.advance((defaultPolicy.leaseSeconds - defaultPolicy.itemSeconds) * 1000)
    const { scheduler } = await world.scheduler()
    scheduler.advance(world.clock.now())
    expect(scheduler.select()).toEqual({ episode: 'e0', clips: ['c0'] })
  })

  test('L28: an item that nobody took makes room; its pairs stay held', async () => {
    await situation(1, 0)
    await added(0)
    await world.clock.advance(defaultPolicy.itemSeconds * 1000)
    await world.settled()
    const grants = await world.grants()
    expect(grants).toHaveLength(4)
    expect(new Set(grants.map(({ episode, clips }) => `${episode} ${clips}`)).size).toBe(4)
  })

  test('L29, L41: a lease that ends gives its pairs back', async () => {
    await world.clip('c0')
    await world.episode('e0')
    await world.researcher('r0')
    await added(0)
    const [first] = await world.grants()
    await world.take(first!)
    await world.settled()
    expect(await world.grants()).toHaveLength(1)
    await world.clock.advance(defaultPolicy.leaseSeconds * 1000 - 1)
    await world.settled()
    expect(await world.grants()).toHaveLength(1)
    await world.clock.advance(1)
    await world.settled()
    expect(await world.grants()).toHaveLength(2)
    expect(pairsLeasedTwice(await world.eventsIn('episode'))).toEqual([])
  })

  test('nothing is written once it has been stopped', async () => {
    await situation(1, 0)
    const one = start()
    await world.settled()
    await one.stop()
    const before = (await world.eventsIn('episode')).length
    await world.clock.advance(10 * defaultPolicy.leaseSeconds * 1000)
    await world.settled()
    expect(await world.eventsIn('episode')).toHaveLength(before)
    expect(world.clock.sleepers()).toBe(0)
  })

  test('a turn that fails is tried again', async () => {
    await situation(1, 0)
    await added(0)
    world.faults.push('before')
    await world.clock.advance(defaultPolicy.itemSeconds * 1000)
    await world.settled()
    expect(await world.grants()).toHaveLength(2)
    expect(world.warnings).toMatchObject([{ msg: expect.stringContaining('cannot assign work; retrying') }])
    await world.clock.advance(2000)
    await world.settled()
    expect(await world.grants()).toHaveLength(4)
  })
})

describe('F26: a clock that was years ahead and is put right', () => {
  const tenYears = 3650 * DAY
  let ahead = 0
  let assigner: RunningSubscription
  const wrong = () => ({ ...world.clock, now: () => addMillis(world.clock.now(), ahead) })
  const newAssigner = () => world.newAssigner({ savedAtEnd: 1 }, (one) => one, wrong())
  const handedOut = async () =>
    (await world.grants()).map(({ deadline }) => deadline < addMillis(world.clock.now(), DAY))

  beforeEach(async () => {
    await situation(2, 0)
    ahead = tenYears
    assigner = start(newAssigner())
    await world.settled()
    // To it nobody has been there for years.
    expect(await handedOut()).toEqual([false])
  })

  test('while it works: it works by the right time from the next event on', async () => {
    ahead = 0
    await world.researcher('r9')
    await world.settled()
    expect(await handedOut()).toEqual([false, true, true, true])
    expect(world.warnings).toMatchObject([{ msg: expect.stringContaining('the clock went back') }])
  })

  test('while it is stopped: its snapshot is not used', async () => {
    await assigner.stop()
    ahead = 0
    start(newAssigner())
    await world.settled()
    expect(await handedOut()).toEqual([false, true, true])
    expect(world.warnings).toEqual([])
  })

  test('a clock that is behind by seconds only has nothing read again', async () => {
    ahead -= MINUTE
    await world.researcher('r9')
    await world.settled()
    expect(await handedOut()).toEqual([false])
    expect(world.warnings).toEqual([])
  })
})
