import { left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { type Execute, executor } from '../../../src/processors/runtime/execute.ts'
import { routeTo } from '../../../src/processors/runtime/route.ts'
import { streamStates } from '../../../src/processors/runtime/stream-states.ts'
import { type Overdue, runTicker } from '../../../src/processors/runtime/ticker.ts'
import { type FakeClock, fakeClock, until } from '../../fakes/clock.ts'
import { accounts } from './account.ts'
import { eventsOf, useFolder } from './log.ts'
import { silent } from './world.ts'

const { openLog } = useFolder()

let store: EventStore
let clock: FakeClock
let ticker: ReturnType<typeof runTicker> | undefined
beforeEach(() => {
  store = openLog()
  clock = fakeClock()
})
afterEach(async () => {
  await ticker?.stop()
})

/** What was overdue at `since` is found at every pass from then on: its view may lag. */
const passing = (name: string, since: string): Overdue => ({
  name,
  passed: async (now) =>
    now < since
      ? []
      : [
          {
            route: routeTo(accounts, `account-${name}`, {
              type: 'Deposit',
              amount: 1,
              actor: 'ticker',
              at: now,
            }),
            causationId: `passing/${name}`,
          },
        ],
})
const start = (list: readonly Overdue[], execute: Execute = executor(store, streamStates(store))) => {
  ticker = runTicker(list, { execute, clock, log: silent })
  return ticker
}
const written = async () => (await eventsOf(store)).map(({ stream }) => stream)
/** The pass under way is over. */
const passOver = () => until(() => clock.sleepers() === 1)

describe('ticker', () => {
  test('what has passed is written once, however often it is found', async () => {
    const { tick } = start([passing('a', '2026-01-01T00:00:05.000Z')])
    await passOver()
    expect(await written()).toEqual([])
    for (let i = 0; i < 3; i++) {
      await clock.advance(5000)
      await passOver()
    }
    await tick()
    expect(await written()).toEqual(['account-a'])
    const [event] = await eventsOf(store)
    expect(event).toMatchObject({
      data: { at: '2026-01-01T00:00:05.000Z' },
      metadata: { actor: 'ticker', causationId: 'passing/a' },
    })
  })

  test('it looks every five seconds, and no more once stopped', async () => {
    const looks: string[] = []
    const { stop } = start([
      {
        name: 'watch',
        passed: async (now) => {
          looks.push(now.slice(17, 19))
          return []
        },
      },
    ])
    await clock.advance(12_000)
    await stop()
    await clock.advance(60_000)
    expect(looks).toEqual(['00', '05', '10'])
  })

  test('a source that fails stops no other', async () => {
    const { tick } = start([
      { name: 'rejects', passed: () => Promise.reject(new Error('no view')) },
      {
        name: 'throws',
        passed: () => {
          throw new Error('a bug')
        },
      },
      passing('a', ''),
    ])
    await tick()
    expect(await written()).toEqual(['account-a'])
  })

  test('a command that fails stops no other of its source, and is tried at the next tick', async () => {
    const real = executor(store, streamStates(store))
    let broken = true
    const execute: Execute = async (decider, envelope) => {
      if (broken && envelope.stream === 'account-a') throw new Error('a bug')
      if (broken && envelope.stream === 'account-b') return left({ kind: 'Unavailable', reason: 'away' })
      return real(decider, envelope)
    }
    const sources = ['a', 'b', 'c'].map((name) => passing(name, ''))
    const { tick } = start(
      [
        {
          name: 'all',
          passed: async (now) => (await Promise.all(sources.map(({ passed }) => passed(now)))).flat(),
        },
      ],
      execute,
    )
    await passOver()
    expect(await written()).toEqual(['account-c'])
    broken = false
    await tick()
    expect((await written()).sort()).toEqual(['account-a', 'account-b', 'account-c'])
  })
})
