import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSnapshotStore } from '../../../infra/snapshots/file-system.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import { generationsStream } from '../../../src/domain/matching/generations/events.ts'
import { defaultRules } from '../../../src/domain/matching/merged/rules.ts'
import { workStream } from '../../../src/domain/matching/work.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { matcher, matcherLimits } from '../../../src/processors/matching/matcher.ts'
import {
  type RunningSubscription,
  runSubscription,
} from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'
import { openTestViews } from '../../fakes/views.ts'
import { useFolder } from '../runtime/log.ts'
import { changesOf, expectOrder, graphEventsOf, headOf, latestOf, observed } from './matcher-world.ts'

/* The matcher on a real log, followed as it is in a running Fonds. */

const folder = useFolder()
const silent = pino({ level: 'silent' })
let store: EventStore
let views: ViewStore
let running: RunningSubscription[]

beforeEach(() => {
  store = folder.openLog({ maxAppendSize: 1024 * 1024 - 1024 })
  views = openTestViews(folder.path('views.db'))
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()))
  views.close()
})

const start = (
  limits: Partial<typeof matcherLimits> = {},
  eventStore = store,
  clock = systemClock,
): RunningSubscription => {
  const telemetry = recordedTelemetry()
  const snapshots = createSnapshotStore(folder.path('snapshots'))
  const deps = { eventStore, snapshots, clock, telemetry, log: silent }
  const one = runSubscription(matcher(deps, { ...matcherLimits, ...limits }), {
    ...deps,
    viewStore: views,
    term: { isLeader: () => true, positions: {} },
  })
  running.push(one)
  return one
}
const observe = async (id: string, links: readonly string[] = []) => {
  const done = await store.append(workStream(id), 'any', [observed(links)])()
  if (isLeft(done)) throw new Error(JSON.stringify(done.left))
}
const reached = async (one: RunningSubscription) => {
  while (one.position() < (await headOf(store))) await new Promise((resolve) => setImmediate(resolve))
}
const groups = async (generation = 1) =>
  [...latestOf(await changesOf(store, generation))]
    .map(([id, { group }]) => `${id} in ${group.component}`)
    .sort()

test('publishes what comes, and its position gets to the head', async () => {
  const one = start()
  await observe('b', ['a'])
  await reached(one)
  await observe('a')
  await observe('c')
  await reached(one)
  expect(await groups()).toEqual(['a in a', 'b in a', 'c in c'])
})

test('after a large change facts are gathered: one change tells what came meanwhile', async () => {
  const gate = Promise.withResolvers<void>()
  const rests: number[] = []
  const sleep = async (millis: number) => {
    rests.push(millis)
    await gate.promise
  }
  for (const id of ['a', 'b', 'c']) await observe(id, ['a'])
  const one = start({ largeChange: 2, restMicros: 100_000, maxRestMillis: 250 }, store, {
    ...systemClock,
    sleep,
  })
  await vi.waitFor(() => expect(rests).toEqual([250]))
  for (const id of ['d', 'e']) await observe(id)
  gate.resolve()
  await reached(one)
  const changes = await changesOf(store)
  expect(changes.map(({ groups }) => groups.map(({ component }) => component))).toEqual([['a'], ['d', 'e']])
  expect(rests).toEqual([250])
})

describe('while a catalogue is loaded', () => {
  const gather = { minFacts: 3, waitMillis: 7, maxMillis: 1000 }

  /** A clock whose every wait of the matcher brings the next facts. */
  const bringing = (batches: readonly (readonly string[])[]) => {
    const waits: number[] = []
    let monotonic = 0
    const sleep = async (millis: number, signal?: AbortSignal) => {
      if (millis !== gather.waitMillis) return systemClock.sleep(millis, signal)
      const batch = batches[waits.push(millis) - 1] ?? []
      monotonic += millis
      for (const id of batch) await observe(id, ['a'])
    }
    return { waits, clock: { ...systemClock, sleep, monotonic: () => monotonic } }
  }
  const told = async () => (await changesOf(store)).map(({ groups }) => groups[0]!.members.length)

  test('what comes is gathered, and told once nothing more does', async () => {
    for (const id of ['a', 'b', 'c']) await observe(id, ['a'])
    const { waits, clock } = bringing([['d'], ['e', 'f']])
    await reached(start({ gather }, store, clock))
    expect(waits).toEqual([7, 7, 7])
    expect(await told()).toEqual([6])
  })

  test('it is told before the end, where that takes long', async () => {
    for (const id of ['a', 'b', 'c']) await observe(id, ['a'])
    const { waits, clock } = bringing([['d'], ['e'], ['f'], ['g', 'h', 'i']])
    await reached(start({ gather: { ...gather, maxMillis: 10 } }, store, clock))
    expect(waits).toEqual([7, 7])
    expect(await told()).toEqual([5])
  })

  test('few facts wait for nothing', async () => {
    for (const id of ['a', 'b']) await observe(id, ['a'])
    const { waits, clock } = bringing([['c']])
    await reached(start({ gather }, store, clock))
    expect(waits).toEqual([])
    expect(await told()).toEqual([2])
  })

  test('a matcher that ends meanwhile leaves the facts to the next one', async () => {
    for (const id of ['a', 'b', 'c']) await observe(id, ['a'])
    const asleep = Promise.withResolvers<void>()
    const sleep = (millis: number, signal?: AbortSignal) => {
      if (millis === gather.waitMillis) asleep.resolve()
      return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    }
    const one = start({ gather }, store, { ...systemClock, sleep })
    await asleep.promise
    await one.stop()
    expect(await told()).toEqual([])
    await reached(start({ gather: { ...gather, minFacts: 4 } }))
    expect(await told()).toEqual([3])
  })
})

test('a new generation is listed to its end, though nothing else comes', async () => {
  for (let i = 0; i < 40; i++) await observe(`w${i}`)
  const one = start({ listBatchSize: 5 })
  await reached(one)
  const data = { generation: 2, rules: defaultRules, reason: 'a test', at: '2026-01-01T00:00:00.000Z' }
  await store.append(generationsStream, 'any', [event('GenerationStarted', data)])()
  await reached(one)
  const events = await graphEventsOf(store, 2)
  expect(events.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 8 }, () => 'GraphChanged'),
    'GraphListed',
  ])
  expect(await groups(2)).toEqual(await groups(1))
})

test('far behind, and the last batch is full: nothing is left waiting', async () => {
  await Promise.all(Array.from({ length: 2000 }, (_, i) => observe(`w${i % 100}`, [`w${(i + 1) % 100}`])))
  const one = start({ farBehindMillis: -1 })
  await reached(one)
  const changes = await changesOf(store)
  expect(new Set(changes.map(({ version }) => version)).size).toBe(1)
  expect(latestOf(changes).size).toBe(100)
})

test('a whole change of long ids gets into a log that takes 1 MiB an append', async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `${i}`.padEnd(2000, '€'))
  for (const [i, id] of ids.entries()) await observe(id, i % 50 === 0 ? [] : [ids[i - 1]!])
  const one = start()
  await reached(one)
  expect(latestOf(await changesOf(store)).size).toBe(500)
})

test('two at once: nothing is lost, and versions grow strictly', async () => {
  const other = folder.openLog()
  const [one, two] = [start(), start({}, other)]
  for (let i = 0; i < 30; i++) await observe(`w${i % 7}`, [`w${(i * 3 + 1) % 7}`])
  await reached(one)
  await reached(two)
  await observe('last', ['w0'])
  await reached(one)
  await reached(two)
  const changes = await changesOf(store)
  expectOrder(changes)
  const latest = latestOf(changes)
  expect(latest.get('last')!.group.members.map(([id]) => id)).toContain('w0')
  for (const [id, { group, version }] of latest)
    for (const [member] of group.members)
      expect(`${id} ${latest.get(member)!.version}`).toBe(`${id} ${version}`)
})

test('starts from its snapshot, and publishes nothing again', async () => {
  for (let i = 0; i < 20; i++) await observe(`w${i}`)
  // What others write stands behind the facts that are published.
  await store.append('other-1', 'any', [event()])()
  const one = start({ savedAtEnd: 10 })
  await reached(one)
  await one.stop()
  const before = await changesOf(store)
  const reads = vi.spyOn(store, 'readAll')
  const next = start({ savedAtEnd: 10 })
  await observe('w3', ['w4'])
  await reached(next)
  // The facts are in the snapshot: none is read again.
  expect(reads.mock.calls.filter(([, { categories }]) => categories?.join() === 'work')).toEqual([])
  const after = await changesOf(store)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(({ groups }) => groups.map(({ component }) => component))).toEqual([
    ['w3'],
  ])
})
