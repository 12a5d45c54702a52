import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { Fenced } from '#src/processors/runtime/fenced.ts'
import { followModel } from '#src/processors/runtime/follow-model.ts'
import {
  encodeModel,
  foldBatch,
  type InMemoryModel,
  loadModel,
  type ModelDefinition,
} from '#src/processors/runtime/in-memory-model.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { type MemorySnapshots, memorySnapshots } from '../../fakes/snapshot-store.ts'
import { recordedTelemetry } from '../../fakes/telemetry.ts'

/** The types of the events of a log, as a model. */
interface Seen extends InMemoryModel {
  types: string
}

const Header = t.type({ format: t.literal(1), log: t.string, folded: t.string })
const definition: ModelDefinition<Seen, t.TypeOf<typeof Header>> = {
  name: 'seen',
  filter: { categories: ['thing'] },
  initial: (log) => ({ log, folded: -1n, unsaved: 0, types: '' }),
  evolve: (model, { type }: RecordedEvent) => {
    if (type === 'unreadable') throw new UnavailableError('it cannot be read')
    model.types += type
  },
  header: Header,
  holds: async (header, _, until) =>
    !until || ('position' in until && BigInt(header.folded) <= until.position),
  decode: ({ header: { log, folded }, body }) => ({
    log,
    folded: BigInt(folded),
    unsaved: 0,
    types: Buffer.from(body).toString(),
  }),
  encode: ({ log, folded, types }) => ({
    header: { format: 1, log, folded: `${folded}` },
    body: [Buffer.from(types)],
  }),
}

let store: FakeEventStore
let snapshots: MemorySnapshots
const { signal } = new AbortController()
const isLeader = () => true

beforeEach(() => {
  store = fakeEventStore()
  snapshots = memorySnapshots()
})

const append = (...types: readonly string[]) =>
  store.append(
    'thing-1',
    'any',
    types.map((type) => event(type)),
  )()
const load = () => loadModel(definition, { eventStore: store, snapshots }, signal)
const batchBehind = async (position: bigint) => {
  const read = await store.readAll(position, definition.filter, 100)()
  if (isLeft(read)) throw new Error(read.left.reason)
  return read.right
}

/** A subscription; `fail` is thrown behind the next batch. `begun` counts the models that were loaded. */
const follow = () => {
  const following = { begun: 0, fail: undefined as Error | undefined, types: '' }
  const subscription = followModel(
    {
      name: 'seen',
      filter: definition.filter,
      begin: async () => {
        following.begun++
        const model = await load()
        return {
          model,
          handle: async (batch) => {
            foldBatch(model, batch, definition.evolve)
            following.types = model.types
            const { fail } = following
            following.fail = undefined
            if (fail) throw fail
            return true
          },
          reached: () => model.folded,
          snapshot: () => encodeModel(definition, model),
        }
      },
    },
    { snapshots, telemetry: recordedTelemetry(), log: pino({ level: 'silent' }) },
    { savedAtEnd: 2, savedAtRest: 4 },
  )
  const own = subscription.ownCheckpoint!
  const next = async () => subscription.handle(await batchBehind(await own.load(signal)), isLeader, signal)
  return { following, own, next }
}

describe('a model is loaded', () => {
  test('from the log, up to its end or to a position', async () => {
    await append('a', 'b', 'c')
    expect((await load()).types).toBe('abc')
    const { position } = (await batchBehind(-1n)).events[1]!
    const sources = { eventStore: store, snapshots }
    expect(await loadModel(definition, sources, signal, { position })).toMatchObject({
      types: 'ab',
      folded: position,
      unsaved: 2,
    })
  })

  test('from its snapshot and the events since, but from no later snapshot', async () => {
    await append('a', 'b')
    const { own, next } = follow()
    await next()
    await own.end()
    await append('c')
    expect(await load()).toMatchObject({ types: 'abc', unsaved: 1 })
    const { position } = (await batchBehind(-1n)).events[0]!
    const past = await loadModel(definition, { eventStore: store, snapshots }, signal, { position })
    expect(past.types).toBe('a')
  })

  test('an event that cannot be read fails it', async () => {
    await append('a', 'unreadable')
    await expect(load()).rejects.toThrow('it cannot be read')
  })
})

describe('a model that follows the log', () => {
  test('goes on from where it is after what was away', async () => {
    await append('a')
    const { following, own, next } = follow()
    following.fail = new UnavailableError('away')
    await expect(next()).rejects.toThrow('away')
    await append('b')
    await next()
    expect(following).toMatchObject({ begun: 1, types: 'ab' })
    expect(own.reached()).toBe((await batchBehind(-1n)).position)
  })

  test.each([
    ['a defect', new Error('a bug')],
    ['another writer', new Fenced('somebody else wrote')],
  ])('is forgotten after %s, and begins anew', async (_, failure) => {
    await append('a')
    const { following, own, next } = follow()
    following.fail = failure
    await expect(next()).rejects.toThrow(failure.message)
    expect(own.reached()).toBe(-1n)
    await append('b')
    await next()
    expect(following).toMatchObject({ begun: 2, types: 'ab' })
  })

  test('is saved at the end of the log once that is worth it', async () => {
    await append('a', 'b', 'c')
    const { next } = follow()
    await next()
    expect(snapshots.bytes).toBeUndefined()
    await append('d')
    await next()
    expect(snapshots.bytes).toBeDefined()
  })

  test('is saved for less when it ends, but not for a single event', async () => {
    await append('a')
    const one = follow()
    await one.next()
    await one.own.end()
    expect(snapshots.bytes).toBeUndefined()
    await append('b')
    const other = follow()
    await other.next()
    await other.own.end()
    expect(snapshots.bytes).toBeDefined()
  })
})
