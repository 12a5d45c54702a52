import { left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Command } from '../../../src/domain/kernel/decider.ts'
import { idOf, type RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { type Execute, executor } from '../../../src/processors/runtime/execute.ts'
import type { RunningSubscription } from '../../../src/processors/runtime/leader-subscription.ts'
import type { Term } from '../../../src/processors/runtime/leader-term.ts'
import type { Route } from '../../../src/processors/runtime/processor.ts'
import { type Reaction, runReaction } from '../../../src/processors/runtime/reaction.ts'
import { routeTo } from '../../../src/processors/runtime/route.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { event as newEvent } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'
import { type AccountCommand, accounts } from './account.ts'
import { streamOf, summaryOf, useFolder } from './log.ts'
import { silent } from './world.ts'

const folder = useFolder()

/** Every deposit into an account is rewarded with the like. */
const command = (type: 'Deposit' | 'Withdraw', amount: number): AccountCommand => ({
  ...({ actor: 'reaction', at: '2026-01-01T00:00:00.000Z' } satisfies Omit<Command, 'type'>),
  type,
  amount,
})
const reward = (event: RecordedEvent, amount = (event.data as { amount: number }).amount): Route =>
  routeTo(accounts, `reward-${idOf(event.stream)}`, command('Deposit', amount))
const rewards: Reaction = {
  name: 'rewards',
  filter: { categories: ['account'], types: ['Deposited'] },
  async *react(event) {
    yield [reward(event)]
  },
}

let store: EventStore
let clock: FakeClock
let views: ViewStore[]
let running: RunningSubscription[]
let telemetry: ReturnType<typeof recordedTelemetry>

beforeEach(() => {
  store = folder.openLog()
  clock = fakeClock()
  telemetry = recordedTelemetry()
  views = []
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((reaction) => reaction.stop()))
  for (const view of views) view.close()
})

const openViews = (file = 'views.db'): ViewStore => {
  const opened = openTestViews(folder.path(file))
  views.push(opened)
  return opened
}
const unlimited: Pick<Term, 'isLeader' | 'positions'> = { isLeader: () => true, positions: {} }
const execution = (log = store): Execute => executor(log, streamStates(log), async () => {})
const run = (
  reaction: Reaction,
  { viewStore = openViews(), execute = execution(), log = store, term = unlimited } = {},
): RunningSubscription => {
  const started = runReaction(reaction, {
    eventStore: log,
    viewStore,
    execute,
    term,
    clock,
    telemetry,
    log: silent,
  })
  running.push(started)
  return started
}
const deposit = async (account: string, ...amounts: readonly number[]) => {
  const at = '2026-01-01T00:00:00.000Z'
  await store.append(
    `account-${account}`,
    'any',
    amounts.map((amount) => newEvent('Deposited', { amount, at })),
  )()
}
const head = async () => {
  const found = await store.head()()
  return found._tag === 'Right' ? found.right : -2n
}
/** Rewards are events too: the reaction has caught up when it has passed them all. */
const caughtUp = async (reaction: RunningSubscription) => {
  for (let seen = -2n; seen !== (await head()); ) {
    seen = await head()
    await until(() => reaction.position() >= seen, 'the reaction catches up')
  }
}
const rewardsOf = async (account: string) => summaryOf(await streamOf(store, `reward-${account}`))

describe('each event has its effect once', () => {
  test('what was there before and what comes later, with the event as the cause', async () => {
    await deposit('a', 1, 2)
    const reaction = run(rewards)
    await caughtUp(reaction)
    await deposit('b', 3)
    await caughtUp(reaction)
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
    expect(await rewardsOf('b')).toEqual(['Deposited 3'])
    const [cause] = await streamOf(store, 'account-b')
    const [effect] = await streamOf(store, 'reward-b')
    expect(effect?.metadata).toMatchObject({ causationId: cause?.id, correlationId: 'conversation' })
  })

  test('across a restart, which starts behind the checkpoint', async () => {
    await deposit('a', 1)
    const reaction = run(rewards)
    await caughtUp(reaction)
    await reaction.stop()
    await deposit('a', 2)
    const seen: string[] = []
    const again = run({
      ...rewards,
      react(event, signal) {
        seen.push(event.stream)
        return rewards.react(event, signal)
      },
    })
    await caughtUp(again)
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
    expect(seen).toEqual(['account-a'])
  })

  test('when the checkpoint was lost', async () => {
    await deposit('a', 1, 2)
    await caughtUp(run(rewards))
    const anew = run(rewards, { viewStore: openViews('new-views.db') })
    await caughtUp(anew)
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
  })

  test.each([
    ['that share their checkpoint', ['views.db', 'views.db']],
    ['with a checkpoint each', ['views.db', 'other-views.db']],
  ])('with two instances at once %s', async (_, files) => {
    await deposit('a', 1, 2, 3)
    const both = files.map((file) => {
      const log = folder.openLog()
      return run(rewards, { viewStore: openViews(file), execute: execution(log), log })
    })
    for (let i = 4; i < 20; i++) {
      await deposit(i % 2 ? 'a' : 'b', i)
      if (i % 5 === 0) await turns(3)
    }
    await Promise.all(both.map(caughtUp))
    expect(await rewardsOf('a')).toEqual([1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19].map((i) => `Deposited ${i}`))
    expect(await rewardsOf('b')).toEqual([4, 6, 8, 10, 12, 14, 16, 18].map((i) => `Deposited ${i}`))
  })

  test('when another process puts its own checkpoint in the place of ours', async () => {
    const viewStore = openViews()
    await deposit('a', 1)
    const reaction = run(rewards, { viewStore })
    await caughtUp(reaction)
    const theirs = openViews()
    theirs.promote(theirs.create('rewards', 1, []))
    await deposit('a', 2)
    // At once, and without a word of a failure: nothing is wrong.
    await caughtUp(reaction)
    expect(clock.sleepers()).toBe(0)
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
  })
})

describe('failures', () => {
  /** Fails while it is told to; says when it was tried. */
  const fickle = (failure: () => Promise<unknown>) => {
    const real = execution()
    const state = { fails: true, triedAt: [] as number[] }
    const execute: Execute = (decider, envelope) => {
      if (!state.fails) return real(decider, envelope)
      state.triedAt.push(Date.parse(clock.now()))
      return failure() as never
    }
    return { execute, state }
  }
  const away = async () => left({ kind: 'Unavailable', reason: 'away' })
  const pauses = ({ triedAt }: { triedAt: readonly number[] }) =>
    triedAt.slice(1).map((at, i) => at - triedAt[i]!)
  const expectPauses = (actual: readonly number[], expected: readonly number[]) => {
    for (const [i, pause] of expected.entries()) {
      expect(actual[i]).toBeGreaterThanOrEqual(pause * 0.5)
      expect(actual[i]).toBeLessThanOrEqual(pause * 1.5)
    }
  }

  test.each([
    ['the log away', away, 'away', [100, 200, 400, 800, 1000, 1000, 1000]],
    [
      'a bug',
      () => Promise.reject(new Error('a bug')),
      'defect',
      [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000],
    ],
  ])('%s: tried again after growing pauses, the checkpoint stays', async (_, failure, reason, expected) => {
    await deposit('a', 1)
    const { execute, state } = fickle(failure)
    const reaction = run(rewards, { execute })
    await clock.advance(60_000)
    expectPauses(pauses(state), expected)
    expect(reaction.position()).toBe(-1n)
    expect(telemetry.counted('failures', 'reason')).toEqual({ [reason]: state.triedAt.length })
    state.fails = false
    await clock.advance(15_000)
    await caughtUp(reaction)
    expect(await rewardsOf('a')).toEqual(['Deposited 1'])
  })

  test('after a success the pauses begin anew', async () => {
    await deposit('a', 1)
    const { execute, state } = fickle(away)
    const reaction = run(rewards, { execute })
    await clock.advance(60_000)
    state.fails = false
    await clock.advance(15_000)
    await caughtUp(reaction)
    state.fails = true
    state.triedAt.length = 0
    await deposit('a', 2)
    await until(() => state.triedAt.length > 0)
    await clock.advance(1000)
    expectPauses(pauses(state), [100, 200])
    state.fails = false
    await clock.advance(15_000)
    await caughtUp(reaction)
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
  })

  test('the log cannot be read: it waits, and goes on', async () => {
    let away = true
    const shaky: EventStore = {
      ...store,
      subscribe: (...input) => {
        if (away) throw new Error('the log is away')
        return store.subscribe(...input)
      },
    }
    await deposit('a', 1)
    const reaction = run(rewards, { log: shaky })
    await until(() => clock.sleepers() === 1)
    away = false
    await clock.advance(1000)
    await caughtUp(reaction)
    expect(await rewardsOf('a')).toEqual(['Deposited 1'])
  })

  test('a rejection is an outcome, and so is a stream deleted for good', async () => {
    await store.deleteStream('reward-a', 'any', 'tombstone')()
    const refused: Reaction = {
      ...rewards,
      async *react(event) {
        yield [reward(event), routeTo(accounts, 'reward-x', command('Withdraw', 1))]
      },
    }
    await deposit('a', 1)
    await deposit('b', 2)
    await caughtUp(run(refused))
    expect(await rewardsOf('b')).toEqual(['Deposited 2'])
    expect(telemetry.counted('messages', 'outcome')).toEqual({ rejected: 3, done: 1 })
  })
})

describe('pages of plans', () => {
  const paged = (asked: string[], pages = 3): Reaction => ({
    ...rewards,
    async *react(event) {
      for (let page = 0; page < pages; page++) {
        asked.push(`page ${page} after ${(await streamOf(store, `reward-${page - 1}`)).length}`)
        yield [
          routeTo(accounts, `reward-${page}`, command('Deposit', 1)),
          routeTo(accounts, `bonus-${page}`, command('Deposit', 2)),
        ]
      }
      expect(event.stream).toBe('account-a')
    },
  })
  const effects = async (category: string) =>
    (await Promise.all([0, 1, 2].map((page) => streamOf(store, `${category}-${page}`)))).map(
      (some) => some.length,
    )

  test('each is finished before the next is asked for', async () => {
    const asked: string[] = []
    await deposit('a', 1)
    await caughtUp(run(paged(asked)))
    expect(asked).toEqual(['page 0 after 0', 'page 1 after 1', 'page 2 after 1'])
    expect(await effects('bonus')).toEqual([1, 1, 1])
  })

  test('a failure on one of them: asked again from the first, done once', async () => {
    let away = true
    const asked: string[] = []
    const real = execution()
    const execute: Execute = async (decider, envelope) =>
      away && envelope.stream === 'reward-1'
        ? left({ kind: 'Unavailable', reason: 'away' })
        : real(decider, envelope)
    await deposit('a', 1)
    const reaction = run(paged(asked), { execute })
    await until(() => clock.sleepers() === 1)
    expect(await effects('bonus')).toEqual([1, 1, 0])
    expect(reaction.position()).toBe(-1n)
    away = false
    await clock.advance(1000)
    await caughtUp(reaction)
    expect(await effects('reward')).toEqual([1, 1, 1])
    expect(await effects('bonus')).toEqual([1, 1, 1])
    expect(asked.map((line) => line.slice(0, 6))).toEqual(['page 0', 'page 1', 'page 0', 'page 1', 'page 2'])
  })

  test('stopped between two of them: the rest is done after the restart', async () => {
    const asked: string[] = []
    let stopped: Promise<void> | undefined
    const real = execution()
    const execute: Execute = (decider, envelope) => {
      if (envelope.stream === 'reward-0') stopped ??= reaction.stop()
      return real(decider, envelope)
    }
    await deposit('a', 1)
    const reaction = run(paged(asked), { execute })
    await until(() => stopped !== undefined)
    await stopped
    expect(await effects('reward')).toEqual([1, 0, 0])
    expect(reaction.position()).toBe(-1n)
    await caughtUp(run(paged(asked)))
    expect(await effects('reward')).toEqual([1, 1, 1])
    expect(await effects('bonus')).toEqual([1, 1, 1])
  })
})

describe('the term', () => {
  test('lost in the middle of many events: what came a hundred before is not done again', async () => {
    await deposit('a', ...Array.from({ length: 250 }, (_, i) => i + 1))
    const viewStore = openViews()
    let done = 0
    const counted: Reaction = {
      ...rewards,
      react(event, signal) {
        done++
        return rewards.react(event, signal)
      },
    }
    const lost = run(counted, { viewStore, term: { isLeader: () => done < 150, positions: {} } })
    await until(() => lost.position() >= 99n, 'the first hundred are behind the checkpoint')
    await lost.stop()
    done = 0
    await caughtUp(run(counted, { viewStore }))
    expect(done).toBe(150)
    expect(await rewardsOf('a')).toHaveLength(250)
  })

  test('starts from where the duty says, when that is further than what is known here', async () => {
    await deposit('a', 1, 2, 3)
    const [, second] = await streamOf(store, 'account-a')
    const positions = { rewards: String(second?.position) }
    await caughtUp(run(rewards, { term: { isLeader: () => true, positions } }))
    expect(await rewardsOf('a')).toEqual(['Deposited 3'])
  })

  test('and from what is known here, when that is further', async () => {
    await deposit('a', 1)
    const viewStore = openViews()
    const first = run(rewards, { viewStore })
    await caughtUp(first)
    await first.stop()
    await deposit('a', 2)
    const seen: unknown[] = []
    const noting: Reaction = {
      ...rewards,
      react(event, signal) {
        seen.push(event.data)
        return rewards.react(event, signal)
      },
    }
    await caughtUp(run(noting, { viewStore, term: { isLeader: () => true, positions: { rewards: '-1' } } }))
    expect(seen).toMatchObject([{ amount: 2 }])
  })

  test('once it is over no event and no page is begun; who has the next one goes on', async () => {
    let left = 1
    const valid = () => left > 0
    const real = execution()
    const execute: Execute = (decider, envelope) => {
      left--
      return real(decider, envelope)
    }
    await deposit('a', 1, 2)
    const reaction = run(rewards, { execute, term: { isLeader: valid, positions: {} } })
    await until(() => left === 0)
    await turns(50)
    expect(await rewardsOf('a')).toEqual(['Deposited 1'])
    expect(reaction.position()).toBe(-1n)
    await reaction.stop()
    await caughtUp(run(rewards))
    expect(await rewardsOf('a')).toEqual(['Deposited 1', 'Deposited 2'])
  })
})

test('stopping ends the wait after a failure', async () => {
  await deposit('a', 1)
  const reaction = run(rewards, { execute: async () => left({ kind: 'Unavailable', reason: 'away' }) })
  await until(() => clock.sleepers() === 1)
  await reaction.stop()
  expect(clock.sleepers()).toBe(0)
})

test('before it has seen anything its position is -1', () => {
  expect(run(rewards).position()).toBe(-1n)
})
