import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { livePosition } from '../../../src/async/caught-up.ts'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import {
  type RunningSubscription,
  runSubscription,
  type Subscription,
} from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from './log.ts'
import { silent } from './world.ts'

/* Work that knows how far it has come. The tests of reactions and of the relay show work that does not. */

const folder = useFolder()
let store: FakeEventStore
let clock: FakeClock
let views: ViewStore
let running: RunningSubscription[]
let telemetry: ReturnType<typeof recordedTelemetry>
/** What the work was handed, and when it began and ended. */
let seen: string[]
/** Where the work says it stands. */
let own: bigint
let reached: bigint
let isLeader: () => boolean
let handle: () => Promise<boolean>

beforeEach(() => {
  clock = fakeClock()
  store = fakeEventStore({ now: clock.now })
  views = openTestViews(folder.path('views.db'))
  telemetry = recordedTelemetry()
  running = []
  seen = []
  own = -1n
  reached = 1_000n
  isLeader = () => true
  handle = async () => true
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  views.close()
})

const follower: Subscription = {
  name: 'part',
  filter: { categories: ['account'] },
  batchSize: 2,
  handle: async ({ events }) => {
    seen.push(...events.map(({ type }) => type))
    return handle()
  },
  ownCheckpoint: {
    load: async () => {
      seen.push(`from ${own}`)
      return own
    },
    reached: () => reached,
    end: async () => {
      seen.push('end')
    },
  },
}
const start = (changes: Partial<Subscription> = {}, positions = {}, log = silent): RunningSubscription => {
  const term = { isLeader: () => isLeader(), positions }
  const started = runSubscription(
    { ...follower, ...changes },
    { eventStore: store, viewStore: views, term, clock, telemetry, log },
  )
  running.push(started)
  return started
}
const append = (...types: readonly string[]) =>
  store.append(
    'account-a',
    'any',
    types.map((type) => event(type)),
  )()
const saw = (...what: readonly string[]) => until(() => seen.join() === what.join(), what.join())

describe('work that knows its place', () => {
  test('is followed from there, whatever the checkpoint says', async () => {
    await append('One', 'Two', 'Three')
    const first = start()
    await saw('from -1', 'One', 'Two', 'Three')
    await first.stop()
    seen = []
    own = 0n
    start({}, { part: '2' })
    await saw('from 0', 'Two', 'Three')
  })

  test('its checkpoint moves to where it has reached, not to what it was handed', async () => {
    await append('One', 'Two', 'Three', 'Four')
    reached = 0n
    const started = start()
    await saw('from -1', 'One', 'Two', 'Three', 'Four')
    await turns()
    expect(started.position()).toBe(0n)
    const live = views.generations().find(({ projection }) => projection === 'part')
    expect(live?.checkpoint).toEqual({ position: 0n, time: clock.now() })
    reached = 100n
    await append('Five')
    await until(() => started.position() === 4n)
  })

  test('its checkpoint never goes back, and what is handed below it goes on', async () => {
    await append('One', 'Two', 'Three')
    const first = start()
    await until(() => first.position() === 2n)
    await first.stop()
    seen = []
    reached = 1n
    const again = start()
    await saw('from -1', 'One', 'Two', 'Three')
    await append('Four')
    await until(() => seen.at(-1) === 'Four')
    expect(again.position()).toBe(2n)
    expect(seen.filter((one) => one.startsWith('from'))).toHaveLength(1)
  })

  test('is asked for its place before each subscription, also after a failure', async () => {
    await append('One', 'Two', 'Three')
    handle = async () => {
      if (seen.includes('Three')) return true
      own = 1n
      throw new UnavailableError('nobody there')
    }
    start()
    await saw('from -1', 'One', 'Two')
    await clock.advance(1_000)
    await saw('from -1', 'One', 'Two', 'from 1', 'Three')
    expect(telemetry.counted('failures', 'reason')).toEqual({ away: 1 })
  })

  test('that cannot be looked up is asked again, after a pause', async () => {
    await append('One')
    let tries = 0
    const begin = async () => {
      if (++tries < 3) throw new UnavailableError('the log is away')
      return -1n
    }
    start({ ownCheckpoint: { ...follower.ownCheckpoint!, load: begin } })
    await clock.advance(2_000)
    await saw('One')
    expect(tries).toBe(3)
  })

  test('that is no longer wanted is called off', async () => {
    let given: AbortSignal | undefined
    const begin = (signal: AbortSignal) =>
      new Promise<bigint>((_, reject) => {
        given = signal
        signal.addEventListener('abort', () => reject(new UnavailableError('called off')))
      })
    const started = start({ ownCheckpoint: { ...follower.ownCheckpoint!, load: begin } })
    await until(() => given !== undefined)
    await started.stop()
    expect(seen).toEqual(['end'])
  })

  test('is told the end once: when it is stopped', async () => {
    await append('One')
    const started = start()
    await saw('from -1', 'One')
    await started.stop()
    await started.stop()
    expect(seen).toEqual(['from -1', 'One', 'end'])
  })

  test('is told the end when the term is over', async () => {
    start()
    await saw('from -1')
    await turns()
    isLeader = () => false
    await append('One')
    await saw('from -1', 'end')
  })

  test('what it fails to keep in the end is logged', async () => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    const end = () => Promise.reject(new Error('the disk is full'))
    const started = start({ ownCheckpoint: { ...follower.ownCheckpoint!, end } }, {}, log)
    await started.stop()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('the disk is full')
  })
})

test('work without a place of its own goes on from the checkpoint, and is told no end', async () => {
  await append('One', 'Two')
  const { ownCheckpoint: _, ...plain } = follower
  const run = () => {
    const term = { isLeader, positions: {} }
    const one = runSubscription(plain, {
      eventStore: store,
      viewStore: views,
      term,
      clock,
      telemetry,
      log: silent,
    })
    running.push(one)
    return one
  }
  const first = run()
  await until(() => first.position() === 1n)
  await first.stop()
  await append('Three')
  const second = run()
  await until(() => second.position() === 2n)
  expect(seen).toEqual(['One', 'Two', 'Three'])
  expect(livePosition(views, 'part')).toBe(2n)
})
