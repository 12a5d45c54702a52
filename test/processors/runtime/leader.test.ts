import { left } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { executor } from '../../../src/processors/runtime/execute.ts'
import { runLeader } from '../../../src/processors/runtime/leader.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import type { FakeEventStore } from '../../fakes/event-store.ts'
import { type LeaderWorld, leaderWorld, noLock, seconds } from './leader-world.ts'

let world: LeaderWorld
let store: FakeEventStore
let clock: FakeClock
beforeEach(() => {
  world = leaderWorld()
  store = world.store
  clock = world.clock
})
afterEach(() => world.end())

const join: LeaderWorld['join'] = (...process) => world.join(...process)
const eventTypes = () => world.eventTypes()
const last = () => world.last()

describe('one process has the duty', () => {
  test('the first that comes, with one event, and the stream keeps only the latest', async () => {
    const one = join('one')
    await until(() => one.term() !== undefined)
    expect(one.term()).toMatchObject({ fence: 1, positions: {} })
    expect(one.term()?.isLeader()).toBe(true)
    await clock.advance(9_000)
    expect(await eventTypes()).toEqual(['DutyTaken'])
    expect(world.kept).toEqual([['duty-test', 20]])
  })

  test('and extends it at a third of its time, as long as it lives', async () => {
    let position = 0
    const one = join('one', { positions: () => ({ r: String(position) }) })
    await until(() => one.term() !== undefined)
    for (position = 1; position <= 30; position++) {
      await clock.advance(10_000)
      await turns()
    }
    expect(one.had()).toBe(1)
    expect(one.term()?.isLeader()).toBe(true)
    expect(await eventTypes()).toHaveLength(31)
    expect(await last()).toMatchObject({ holder: 'one', fence: 1, positions: { r: '30' } })
  })

  test('others wait, and take over at once when it leaves, from where it came', async () => {
    const one = join('one', { positions: () => ({ r: '0' }) })
    await until(() => one.term() !== undefined)
    const others = [join('two'), join('three')]
    await clock.advance(60_000)
    expect(others.map((other) => other.had())).toEqual([0, 0])
    await one.leader.stop()
    await until(() => others.some((other) => other.term() !== undefined))
    await turns(50)
    const terms = others.flatMap((other) => other.term() ?? [])
    expect(terms).toHaveLength(1)
    expect(terms[0]).toMatchObject({ fence: 2, positions: { r: '0' } })
    expect(world.kept).toHaveLength(1)
  })

  test('one who was killed is missed when its time is over', async () => {
    const killed = fakeClock()
    const one = join('one', { ownClock: killed, positions: () => ({ r: '7' }) })
    await until(() => one.term() !== undefined)
    const two = join('two')
    await clock.advance(29_000)
    expect(two.had()).toBe(0)
    await clock.advance(3_000)
    await until(() => two.term() !== undefined)
    expect(two.term()?.fence).toBe(2)
  })
})

describe('a process that slept', () => {
  test('sees before its next piece of work that its term is over, and gives way', async () => {
    const asleep = fakeClock()
    let now = asleep.now
    const one = join('one', { ownClock: { ...asleep, now: () => now() } })
    await until(() => one.term() !== undefined)
    const term = one.term()!
    const two = join('two')
    await clock.advance(32_000)
    await until(() => two.term() !== undefined)
    // It wakes: the time is another, no timer has run yet.
    now = clock.now
    expect(term.signal.aborted).toBe(false)
    expect(term.isLeader()).toBe(false)
    await asleep.advance(30_000)
    await until(() => one.term() === undefined)
    expect(one.lines.some(({ msg }) => msg.includes('the leader lease is lost'))).toBe(true)
    expect(two.term()?.isLeader()).toBe(true)
    expect(await last()).toMatchObject({ holder: 'two' })
  })

  test('its term ends before its deadline: clocks differ', async () => {
    const asleep = fakeClock()
    let now = asleep.now
    const one = join('one', { ownClock: { ...asleep, now: () => now() } })
    await until(() => one.term() !== undefined)
    now = () => '2026-01-01T00:00:26.999Z'
    expect(one.term()?.isLeader()).toBe(true)
    now = () => '2026-01-01T00:00:27.000Z'
    expect(one.term()?.isLeader()).toBe(false)
  })
})

test('a term that was over once stays over, though an extension under way comes through', async () => {
  const own = fakeClock()
  let now = own.now
  const { promise: slow, resolve: answer } = Promise.withResolvers<void>()
  const slowLog: FakeEventStore = {
    ...store,
    append: (stream, expected, events) => async () => {
      if (events[0]!.type === 'DutyExtended') await slow
      return store.append(stream, expected, events)()
    },
  }
  const one = join('one', { ownClock: { ...own, now: () => now() }, log: slowLog })
  await until(() => one.term() !== undefined)
  const term = one.term()!
  await own.advance(10_000)
  now = () => '2026-01-01T00:00:28.000Z'
  // Whoever sees this stops working for good.
  expect(term.isLeader()).toBe(false)
  answer()
  await until(() => one.had() === 2)
  expect(term.signal.aborted).toBe(true)
  expect(term.isLeader()).toBe(false)
  expect(one.term()).toMatchObject({ fence: 2 })
})

describe('the log away', () => {
  test('before it was taken: goes on trying, and says so once', async () => {
    store.goAway()
    const one = join('one')
    await clock.advance(60_000)
    expect(one.had()).toBe(0)
    expect(one.lines.filter(({ level }) => level >= 40)).toHaveLength(1)
    store.comeBack()
    await clock.advance(16_000)
    await until(() => one.term() !== undefined)
  })

  test('for a moment: tried again soon, and it keeps the duty', async () => {
    const one = join('one')
    await until(() => one.term() !== undefined)
    store.goAway()
    await clock.advance(15_000)
    store.comeBack()
    await clock.advance(10_000)
    expect(one.had()).toBe(1)
    expect(one.term()?.isLeader()).toBe(true)
    expect(await eventTypes()).toContain('DutyExtended')
  })

  test('for longer: it stops before the deadline, and takes the duty again later', async () => {
    const one = join('one')
    await until(() => one.term() !== undefined)
    store.goAway()
    await clock.advance(26_000)
    expect(one.term()?.isLeader()).toBe(true)
    await clock.advance(2_000)
    expect(one.term()).toBeUndefined()
    store.comeBack()
    await clock.advance(30_000)
    await until(() => one.term() !== undefined)
    expect(one.term()?.fence).toBe(2)
  })

  test('while others wait: they still see the deadline pass', async () => {
    const killed = fakeClock()
    const one = join('one', { ownClock: killed })
    await until(() => one.term() !== undefined)
    const two = join('two')
    await turns()
    store.goAway()
    await clock.advance(20_000)
    store.comeBack()
    await clock.advance(25_000)
    await until(() => two.term() !== undefined)
  })

  test('when it stops: it ends all the same', async () => {
    const one = join('one')
    await until(() => one.term() !== undefined)
    store.goAway()
    await one.leader.stop()
    expect(one.term()).toBeUndefined()
  })
})

test('a grant whose answer was lost is taken again at once', async () => {
  let lose = true
  const lossy: FakeEventStore = {
    ...store,
    append: (stream, expected, events) => async () => {
      const appended = await store.append(stream, expected, events)()
      if (!lose) return appended
      lose = false
      return left({ kind: 'Unavailable', reason: 'the answer was lost' })
    },
  }
  const one = join('one', { log: lossy })
  await clock.advance(1_000)
  await until(() => one.term() !== undefined)
  expect(one.term()?.fence).toBe(2)
})

test('what was under way is finished before the duty is given back', async () => {
  const states = streamStates(store)
  const { promise, resolve } = Promise.withResolvers<void>()
  let working = false
  const leader = runLeader(
    {
      name: 'test',
      checkpoints: () => ({ positions: { r: working ? '1' : '2' } }),
      work: async ({ signal }) => {
        working = true
        await new Promise((done) => signal.addEventListener('abort', done))
        await promise
        working = false
      },
    },
    {
      holder: 'one',
      seconds,
      eventStore: store,
      execute: executor(store, states),
      states,
      processLock: noLock,
      clock,
      log: pino({ level: 'silent' }),
    },
  )
  await until(() => working)
  const stopped = leader.stop()
  await clock.advance(60_000)
  expect(await eventTypes()).not.toContain('DutyLeft')
  resolve()
  await stopped
  expect((await eventTypes()).at(-1)).toBe('DutyLeft')
  expect(await last()).toMatchObject({ positions: { r: '2' } })
})
