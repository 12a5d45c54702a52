import { isLeft, left } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { expect } from 'vitest'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { NewEvent, RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { generationsStream } from '../../../src/domain/matching/generations/events.ts'
import type { Fact } from '../../../src/domain/matching/graph/component.ts'
import { componentsOf } from '../../../src/domain/matching/graph/components.ts'
import {
  type GraphChanged,
  type GraphEvent,
  type Group,
  graphEvents,
  graphStream,
} from '../../../src/domain/matching/graph/events.ts'
import { defaultRules } from '../../../src/domain/matching/merged/rules.ts'
import { byId, type WorkState, workStream } from '../../../src/domain/matching/work.ts'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { matcher, matcherLimits } from '../../../src/processors/matching/matcher.ts'
import type { Subscription } from '../../../src/processors/runtime/leader-subscription.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { type ManualClock, manualClock } from '../../fakes/manual-clock.ts'
import { type MemorySnapshots, memorySnapshots } from '../../fakes/snapshot-store.ts'
import { type RecordedTelemetry, recordedTelemetry } from '../../fakes/telemetry.ts'

/** What becomes of the next appends to a graph stream: `before`, `after`: the log is away before or after it is done. */
export type Fault = 'none' | 'before' | 'after'

export interface World {
  readonly store: FakeEventStore
  readonly clock: ManualClock
  readonly telemetry: RecordedTelemetry
  readonly snapshots: MemorySnapshots
  /** Facts that were read page by page: those folded in without being published. */
  readonly facts: { read: number }
  /** What matchers warned of. */
  readonly warnings: readonly Record<string, unknown>[]
  /** One for each of the next appends to a graph stream. */
  readonly faults: Fault[]
  /** Appends to graph streams that were tried. */
  readonly appends: { readonly stream: string; readonly ids: readonly string[] }[]
  observe(id: string, links?: readonly string[], state?: WorkState): Promise<void>
  append(stream: string, ...events: readonly NewEvent[]): Promise<void>
  startGeneration(generation: number): Promise<void>
  dropGeneration(generation: number): Promise<void>
  newMatcher(limits?: Partial<typeof matcherLimits>): Subscription
}

const at = '2026-01-01T00:00:00.000Z'

export const observed = (links: readonly string[], state: WorkState = 'visible'): NewEvent =>
  event('WorkObserved', {
    source: 'sierra',
    sourceVersion: 1,
    sourceModifiedAt: at,
    state,
    links: links.toSorted(byId).map((to) => ({ to, reasons: ['same as'] })),
    at,
  })

export const matcherWorld = (snapshots = memorySnapshots(), gap = 2n): World => {
  const clock = manualClock()
  const store = fakeEventStore({ now: clock.now, gap })
  const telemetry = recordedTelemetry()
  const faults: Fault[] = []
  const appends: { stream: string; ids: readonly string[] }[] = []
  const facts = { read: 0 }
  const warnings: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) })
  const faulty: EventStore = {
    ...store,
    readAll: (after, filter, limit) => async () => {
      const page = await store.readAll(after, filter, limit)()
      if (!isLeft(page)) facts.read += page.right.events.length
      return page
    },
    append: (stream, expected, events) => async () => {
      appends.push({ stream, ids: events.map(({ id }) => id) })
      const fault = faults.shift() ?? 'none'
      const away = left({ kind: 'Unavailable' as const, reason: 'cut off' })
      if (fault === 'before') return away
      const done = await store.append(stream, expected, events)()
      return fault === 'after' ? away : done
    },
  }
  const append: World['append'] = async (stream, ...events) => {
    const done = await store.append(stream, 'any', events)()
    if (isLeft(done)) throw new Error(JSON.stringify(done.left))
  }
  const generationEvent = (type: string, data: object) =>
    append(generationsStream, event(type, { ...data, reason: 'a test', at }))
  return {
    store,
    clock,
    telemetry,
    snapshots,
    facts,
    warnings,
    faults,
    appends,
    append,
    observe: (id, links = [], state = 'visible') => append(workStream(id), observed(links, state)),
    startGeneration: (generation) =>
      generationEvent('GenerationStarted', { generation, rules: defaultRules }),
    dropGeneration: (generation) => generationEvent('GenerationDropped', { generation }),
    // Nobody advances the clock while it rests.
    newMatcher: (limits = {}) =>
      matcher(
        { eventStore: faulty, snapshots, clock, telemetry, log },
        {
          ...matcherLimits,
          restMicros: 0,
          gather: { ...matcherLimits.gather, minFacts: Infinity },
          ...limits,
        },
      ),
  }
}

export interface DriveOptions {
  readonly batchSize?: number
  readonly isLeader?: () => boolean
  /** So often it begins again after the log was away; it throws after that. */
  readonly patience?: number
}

/** Follows the log to its end, as `follow` does but for the pauses. */
export const drive = async (
  { store }: World,
  follower: Subscription,
  { batchSize = 1000, isLeader = () => true, patience = 20 }: DriveOptions = {},
): Promise<void> => {
  const { signal } = new AbortController()
  for (let failures = 0; ; ) {
    try {
      let after = await follower.ownCheckpoint!.load(signal)
      for (;;) {
        const batch = await store.readAll(after, follower.filter, batchSize)()
        if (isLeft(batch)) throw new UnavailableError(batch.left.reason)
        if (!(await follower.handle(batch.right, isLeader, signal))) return
        after = batch.right.position
        if (batch.right.caughtUp && after === (await headOf(store))) return
      }
    } catch (error) {
      if (!(error instanceof UnavailableError) || ++failures > patience) throw error
    }
  }
}

export const headOf = async (store: EventStore): Promise<bigint> => {
  const head = await store.head()()
  if (isLeft(head)) throw new Error(head.left.reason)
  return head.right
}

export const eventsIn = async (store: EventStore, stream: string): Promise<readonly RecordedEvent[]> => {
  const read = await store.read(stream, 'start', 'forward', 1_000_000)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right
}

export const graphEventsOf = async (store: EventStore, generation = 1): Promise<readonly GraphEvent[]> =>
  (await eventsIn(store, graphStream(generation))).map((recorded) => {
    const read = graphEvents.read(recorded)
    if (isLeft(read)) throw new Error(read.left)
    return read.right
  })

export const changesOf = async (store: EventStore, generation = 1): Promise<readonly GraphChanged[]> =>
  (await graphEventsOf(store, generation)).flatMap(({ type, data }) =>
    type === 'GraphChanged' ? [data] : [],
  )

/** As `version: a b, c`, a line a change. */
export const published = (changes: readonly GraphChanged[]): readonly string[] =>
  [...Map.groupBy(changes, ({ version }) => version).values()].map((events) =>
    events
      .flatMap(({ groups }) => groups.map(({ members }) => members.map(([id]) => id).join(' ')))
      .join(', '),
  )

interface Published {
  readonly version: number
  readonly revision: number
  readonly group: Group
}

/** What was published of each work last. */
export const latestOf = (changes: readonly GraphChanged[]): ReadonlyMap<string, Published> => {
  const latest = new Map<string, Published>()
  for (const { version, groups } of changes)
    for (const group of groups)
      for (const [id, revision] of group.members) latest.set(id, { version, revision, group })
  return latest
}

/**
 * At rest, what was published of each work last adds up to the components of the latest facts: whole, with one version each, from
 * the revision that each work has. And versions and times only ever grew.
 */
export const expectSettled = async (world: World, generation = 1): Promise<void> => {
  const changes = await changesOf(world.store, generation)
  const latest = latestOf(changes)
  const components = new Map<string, string[]>()
  for (const [id, { version, group }] of latest) {
    const name = `${version} ${group.component} of ${group.size}`
    components.set(name, [...(components.get(name) ?? []), id])
  }
  const facts = await factsOf(world.store)
  const expected = componentsOf(facts.values()).map(({ members }) => members.map(([id]) => id))
  const found = [...components].map(([name, ids]) => ({
    size: Number(name.split(' ').at(-1)),
    ids: ids.sort(byId),
  }))
  expect(found.map(({ ids }) => ids.join(' ')).sort(byId)).toEqual(
    expected.map((ids) => ids.join(' ')).sort(byId),
  )
  for (const { size, ids } of found) expect(ids).toHaveLength(size)
  expect(placeholdersAfter(changes)).toEqual(
    componentsOf(facts.values())
      .flatMap(({ placeholders }) => placeholders)
      .sort(byId),
  )
  for (const [id, { revision }] of latest)
    expect(`${id} ${revision}`).toBe(`${id} ${(await eventsIn(world.store, workStream(id))).length - 1}`)
  expectOrder(changes)
}

/** Ids that are known as placeholders to whoever folds the changes. */
const placeholdersAfter = (changes: readonly GraphChanged[]): readonly string[] => {
  const known = new Set<string>()
  for (const { groups, dropped } of changes) {
    for (const id of dropped) known.delete(id)
    for (const { members, placeholders } of groups) {
      for (const [id] of members) known.delete(id)
      for (const id of placeholders) known.add(id)
    }
  }
  return [...known].sort(byId)
}

export const expectOrder = (changes: readonly GraphChanged[]): void => {
  for (const [i, after] of changes.entries()) {
    const before = changes[i - 1]
    if (!before) continue
    expect(after.version).toBeGreaterThanOrEqual(before.version)
    expect(after.timeSent >= before.timeSent).toBe(true)
    if (after.version === before.version) expect(after.timeSent).toBe(before.timeSent)
  }
}

/** The latest facts, by work. */
export const factsOf = async (store: EventStore): Promise<ReadonlyMap<string, Fact>> => {
  const read = await store.readAll(-1n, { categories: ['work'], types: ['WorkObserved'] }, 1_000_000)()
  if (isLeft(read)) throw new Error(read.left.reason)
  const facts = new Map<string, Fact>()
  for (const { stream, revision, data } of read.right.events) {
    const { state, links } = data as { state: WorkState; links: { to: string }[] }
    const id = stream.slice('work-'.length)
    facts.set(id, {
      id,
      revision: Number(revision),
      deleted: state === 'deleted',
      links: links.map(({ to }) => to),
    })
  }
  return facts
}
