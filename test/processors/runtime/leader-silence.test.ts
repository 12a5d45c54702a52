import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leaderStream } from '../../../src/domain/kernel/leader-lease.ts'
import { addMillis, DAY } from '../../../src/domain/kernel/time.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import type { FakeEventStore } from '../../fakes/event-store.ts'
import { type LeaderWorld, leaderWorld } from './leader-world.ts'

/* Who waits measures the holder's silence by its own monotonic clock: a deadline may be of a clock that ran ahead. */

let world: LeaderWorld
let clock: FakeClock
let store: FakeEventStore
beforeEach(() => {
  world = leaderWorld()
  clock = world.clock
  store = world.store
})
afterEach(() => world.end())

const tomorrow = '2026-01-02T00:00:00.000Z'
const stream = leaderStream('test')
/** An event of the leader lease, as it stands in a log. */
const write = async (type: string, data: object): Promise<void> => {
  const written = await store.append(stream, 'any', [
    {
      id: crypto.randomUUID(),
      type,
      data: { holder: 'gone', fence: 1, deadline: tomorrow, positions: { r: '0' }, ...data },
      metadata: { actor: 'gone', causationId: 'c', correlationId: 'c', schema: 1 },
    },
  ])()
  if (isLeft(written)) throw new Error('not written')
}
/** The same time goes by, another time of day is shown. */
const aDayAhead = () => {
  let ahead: number = DAY
  return {
    clock: { ...clock, now: () => addMillis(clock.now(), ahead) } satisfies Clock,
    putRight: () => {
      ahead = 0
    },
  }
}
const deadline = async () => ((await world.last()) as { deadline: string }).deadline

describe('a holder whose clock ran a day ahead', () => {
  test('was killed: who waits takes over after its time, not tomorrow, and its own deadline is right', async () => {
    const killed = fakeClock()
    killed.putForth(DAY)
    const one = world.join('one', { ownClock: killed, positions: () => ({ r: '7' }) })
    await until(() => one.term() !== undefined)
    expect((await deadline()) > tomorrow).toBe(true)
    const two = world.join('two')
    await clock.advance(29_000)
    expect(two.had()).toBe(0)
    await clock.advance(3_000)
    await until(() => two.term() !== undefined)
    expect(two.term()).toMatchObject({ fence: 2 })
    expect((await deadline()) < tomorrow).toBe(true)
  })

  test('goes on: nobody takes it from it, also when its clock is put right', async () => {
    const ahead = aDayAhead()
    const one = world.join('one', { ownClock: ahead.clock })
    await until(() => one.term() !== undefined)
    const two = world.join('two')
    await clock.advance(300_000)
    expect((await deadline()) > tomorrow).toBe(true)
    ahead.putRight()
    await clock.advance(300_000)
    expect([one.had(), two.had()]).toEqual([1, 0])
    expect(one.term()?.isLeader()).toBe(true)
    expect((await deadline()) < tomorrow).toBe(true)
  })

  test('its clock was put right and the log is away: it stops by its monotonic clock', async () => {
    const ahead = aDayAhead()
    const one = world.join('one', { ownClock: ahead.clock })
    await until(() => one.term() !== undefined)
    const term = one.term()
    ahead.putRight()
    store.goAway()
    await clock.advance(26_900)
    expect(term?.isLeader()).toBe(true)
    await clock.advance(200)
    expect(term?.isLeader()).toBe(false)
    expect(term?.signal.aborted).toBe(true)
  })

  test('its time counts from before it asked, however late the answer came', async () => {
    const { promise: slow, resolve: answer } = Promise.withResolvers<void>()
    const one = world.join('one', {
      log: {
        ...store,
        append:
          (...given) =>
          async () => {
            const appended = await store.append(...given)()
            await slow
            return appended
          },
      },
    })
    await clock.advance(20_000)
    answer()
    await until(() => one.term() !== undefined)
    const term = one.term()
    store.goAway()
    await clock.advance(6_900)
    expect(term?.isLeader()).toBe(true)
    await clock.advance(200)
    expect(term?.isLeader()).toBe(false)
  })
})

describe('a lease that names a lock', () => {
  const lock = { file: '/locks/gone.lock', device: '1', inode: '2', bootId: 'boot' }
  const knowing = (hasEnded: () => boolean) => ({
    processLock: { mark: () => ({ ...lock, file: '/locks/two.lock' }), hasEnded },
  })

  test('whose process has ended: it is taken at once, and the new one names its own', async () => {
    await store.append('account-a', 'none', [event()])()
    await write('DutyTaken', { millis: 30_000, lock })
    const two = world.join(
      'two',
      knowing(() => true),
    )
    await until(() => two.term() !== undefined)
    expect(two.term()).toMatchObject({ fence: 2, positions: { r: '0' } })
    expect(await world.last()).toMatchObject({ holder: 'two', lock: { file: '/locks/two.lock' } })
  })

  test('whose process ends while another waits: it is taken within a moment', async () => {
    await write('DutyTaken', { millis: 30_000, lock })
    let ended = false
    const two = world.join(
      'two',
      knowing(() => ended),
    )
    await clock.advance(10_000)
    expect(two.had()).toBe(0)
    ended = true
    await clock.advance(1_000)
    await until(() => two.term() !== undefined)
  })

  test('of which that is not certain: it is waited for as ever', async () => {
    await write('DutyTaken', { millis: 30_000, lock })
    const two = world.join(
      'two',
      knowing(() => false),
    )
    await clock.advance(29_000)
    expect(two.had()).toBe(0)
    await clock.advance(4_000)
    await until(() => two.term() !== undefined)
  })
})

describe('a lease for tomorrow in the log', () => {
  test('is watched for as long as it says', async () => {
    await store.append('account-a', 'none', [event()])()
    await write('DutyTaken', { millis: 60_000 })
    const two = world.join('two')
    await clock.advance(59_000)
    expect(two.had()).toBe(0)
    await clock.advance(4_000)
    await until(() => two.term() !== undefined)
    expect(two.term()).toMatchObject({ fence: 2, positions: { r: '0' } })
  })

  test('an old one does not say how long: the configured time counts', async () => {
    await write('DutyTaken', {})
    const two = world.join('two')
    await clock.advance(29_000)
    expect(two.had()).toBe(0)
    await clock.advance(4_000)
    await until(() => two.term() !== undefined)
  })

  test('each word of its holder lets who waits begin anew', async () => {
    await write('DutyTaken', { millis: 30_000 })
    const two = world.join('two')
    for (let i = 0; i < 5; i++) {
      await clock.advance(25_000)
      await write('DutyExtended', { millis: 30_000 })
      await turns()
    }
    await clock.advance(29_000)
    expect(two.had()).toBe(0)
    await clock.advance(4_000)
    await until(() => two.term() !== undefined)
  })

  test('a holder that wakes just then wins: the lease is taken at the revision that was watched, or not at all', async () => {
    await write('DutyTaken', { millis: 30_000 })
    let woke = 0
    const two = world.join('two', {
      log: {
        ...store,
        append: (to, expected, events) => async () => {
          // The very same words again, as a Fonds of before would write them: nothing but the revision differs.
          if (events[0]!.type === 'DutyTaken' && woke++ === 0) await write('DutyExtended', { millis: 30_000 })
          return store.append(to, expected, events)()
        },
      },
    })
    await clock.advance(35_000)
    expect([woke, two.had()]).toEqual([1, 0])
    await clock.advance(35_000)
    await until(() => two.term() !== undefined)
    expect(two.term()).toMatchObject({ fence: 2 })
  })

  test('is taken at once where a person ends it', async () => {
    await write('DutyTaken', { millis: 30_000 })
    const two = world.join('two')
    await turns()
    expect(two.had()).toBe(0)
    await write('DutyEnded', { deadline: undefined, reason: 'its machine burnt' })
    await until(() => two.term() !== undefined)
  })
})
