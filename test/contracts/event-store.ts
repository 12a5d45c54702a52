import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEvent, RecordedEvent } from '../../src/domain/kernel/event.ts'
import type { EventFilter, EventStore, Expected, StreamMetadata } from '../../src/ports/event-store.ts'
import { event } from './new-event.ts'

export interface EventStoreUnderTest {
  readonly store: EventStore
  /** Another client of the same log, as a second process would have it. */
  readonly other: () => Promise<EventStore>
  readonly dispose: () => Promise<void>
  /** True where an exact revision that fits is refused a known id (stricter than EventStoreDB: a known difference). */
  readonly knowsIdsAtExactRevision: boolean
}

const some = (count: number, type = 'Tested') => Array.from({ length: count }, (_, n) => event(type, { n }))

/** What every event store must do, whatever holds the log. Names quote the append truth table. */
export const eventStoreContract = (name: string, open: () => Promise<EventStoreUnderTest>) => {
  describe(`event store contract: ${name}`, () => {
    let under: EventStoreUnderTest
    let store: EventStore
    let stream: string

    beforeEach(async () => {
      under = await open()
      store = under.store
      stream = `contract-${uuid()}`
    })
    afterEach(() => under.dispose())

    const append = (expected: Expected, events: readonly NewEvent[], to = stream) =>
      store.append(to, expected, events)()
    const appended = async (expected: Expected, events: readonly NewEvent[], to = stream) => {
      const result = await append(expected, events, to)
      if (either.isLeft(result)) throw new Error(`append refused: ${JSON.stringify(result.left, bigints)}`)
      return result.right
    }
    const read = async (
      from: bigint | 'start' | 'end' = 'start',
      direction: 'forward' | 'backward' = 'forward',
      limit = 1000,
    ) => {
      const result = await store.read(stream, from, direction, limit)()
      if (either.isLeft(result)) throw new Error(JSON.stringify(result.left, bigints))
      return result.right
    }
    const conflict = (actual: bigint | 'none') => either.left({ kind: 'Conflict', stream, actual })
    const deleted = () => either.left({ kind: 'StreamDeleted', stream })

    describe('append truth table', () => {
      it('none on no stream: write', async () => {
        expect((await appended('none', some(2))).revision).toBe(1n)
        expect((await read()).map((e) => e.revision)).toEqual([0n, 1n])
      })
      it('exact revision that is the present one: write', async () => {
        await appended('none', some(3))
        expect((await appended(2n, some(1))).revision).toBe(3n)
      })
      it('exact revision that is the present one, an id already in the stream: written, or success again where ids are known', async () => {
        const [first] = some(1)
        await appended('none', [first!])
        const again = await appended(0n, [first!])
        expect(again.revision).toBe(under.knowsIdsAtExactRevision ? 0n : 1n)
      })
      it('exact revision above the present one: conflict with the actual revision', async () => {
        await appended('none', some(1))
        expect(await append(5n, some(1))).toEqual(conflict(0n))
      })
      it('exact revision on no stream: conflict with none', async () => {
        expect(await append(0n, some(1))).toEqual(conflict('none'))
      })
      it('exact below, every id equals the one stored there: success again, same revision and position', async () => {
        const events = some(3)
        const before = await appended('none', some(1))
        const once = await appended(before.revision, events)
        await appended(once.revision, some(2))
        expect(await appended(before.revision, events)).toEqual(once)
        expect((await read()).length).toBe(6)
      })
      it('none below, every id equals: success again', async () => {
        const events = some(2)
        const once = await appended('none', events)
        expect(await appended('none', events)).toEqual(once)
      })
      it('exact below, the first id differs: conflict', async () => {
        await appended('none', some(3))
        expect(await append(0n, some(1))).toEqual(conflict(2n))
      })
      it('exact below, a later id differs: conflict, nothing written', async () => {
        const events = some(2)
        await appended('none', events)
        expect(await append('none', [events[0]!, event()])).toEqual(conflict(1n))
        expect((await read()).length).toBe(2)
      })
      it('exact below, repeats the tail and goes beyond it: conflict', async () => {
        const events = some(2)
        await appended('none', events)
        expect(await append('none', [...events, event()])).toEqual(conflict(1n))
      })
      it('exact below, empty append: conflict', async () => {
        await appended('none', some(2))
        expect(await append(0n, [])).toEqual(conflict(1n))
      })
      it.each(['any', 'exists'] as const)('%s, ids never seen: write', async (expected) => {
        await appended('none', some(1))
        expect((await appended(expected, some(2))).revision).toBe(2n)
      })
      it('any on no stream: write', async () => {
        expect((await appended('any', some(2))).revision).toBe(1n)
      })
      it.each(['any', 'exists'] as const)(
        '%s, all ids already in the stream: success again',
        async (expected) => {
          const events = some(2)
          const once = await appended('none', events)
          await appended(1n, some(1))
          expect(await appended(expected, events)).toEqual(once)
          expect((await read()).length).toBe(3)
        },
      )
      it.each(['any', 'exists'] as const)(
        '%s, first id seen and a later one not: conflict',
        async (expected) => {
          const [first] = some(1)
          await appended('none', [first!])
          expect(await append(expected, [first!, event()])).toEqual(conflict(0n))
        },
      )
      it('exists on no stream: conflict', async () => {
        expect(await append('exists', some(1))).toEqual(conflict('none'))
      })
      it('exists on a soft-deleted stream: StreamDeleted', async () => {
        await appended('none', some(1))
        await store.deleteStream(stream, 'any', 'soft')()
        expect(await append('exists', some(1))).toEqual(deleted())
      })
      it.each(['none', 'any', 1n] as const)(
        '%s on a soft-deleted stream: write, revisions go on',
        async (expected) => {
          await appended('none', some(2))
          await store.deleteStream(stream, 1n, 'soft')()
          expect(await read()).toEqual([])
          expect((await appended(expected, some(1))).revision).toBe(2n)
          expect((await read()).map((e) => e.revision)).toEqual([2n])
          expect((await read('end', 'backward')).map((e) => e.revision)).toEqual([2n])
        },
      )
      it.each(['none', 'any', 'exists', 1n, 7n] as const)(
        '%s on a tombstoned stream: StreamDeleted',
        async (expected) => {
          await appended('none', some(2))
          await store.deleteStream(stream, 'any', 'tombstone')()
          expect(await append(expected, some(1))).toEqual(deleted())
          expect(await store.read(stream, 'start', 'forward', 1)()).toEqual(deleted())
        },
      )
      it('a tombstone on a stream that exists: StreamDeleted from then on', async () => {
        expect(await store.deleteStream(stream, 'exists', 'tombstone')()).toEqual(conflict('none'))
        await appended('none', some(2))
        expect(await store.deleteStream(stream, 'exists', 'tombstone')()).toEqual(either.right(undefined))
        expect(await append('any', some(1))).toEqual(deleted())
      })
      it('the same id in two streams is two events', async () => {
        const [one] = some(1)
        await appended('none', [one!])
        expect((await appended('none', [one!], `${stream}x`)).revision).toBe(0n)
      })
      it('an append is all or nothing and atomic among concurrent ones', async () => {
        const attempts = await Promise.all(Array.from({ length: 20 }, () => append('none', some(3))))
        expect(attempts.filter(either.isRight)).toHaveLength(1)
        expect((await read()).length).toBe(3)
      })
      it('too large: refused by name before it is written', async () => {
        const huge = event('Tested', { text: 'x'.repeat(9 * 1024 * 1024) })
        const result = await append('any', [huge])
        expect(result).toMatchObject(either.left({ kind: 'TooLarge' }))
        expect(await read()).toEqual([])
      })
    })

    describe('keeping only the latest', () => {
      it.each(['before', 'after'])(
        'set %s the stream is written: its newest events stay, revisions go on',
        async (when) => {
          const keep = async () => expect(either.isRight(await store.keepLatest(stream, 2)())).toBe(true)
          if (when === 'before') await keep()
          await appended('none', some(3))
          if (when === 'after') await keep()
          await appended(2n, some(2))
          expect((await read()).map((e) => e.revision)).toEqual([3n, 4n])
          expect((await read('end', 'backward', 1)).map((e) => e.revision)).toEqual([4n])
          expect((await appended(4n, some(1))).revision).toBe(5n)
        },
      )
    })

    describe('metadata of a stream', () => {
      const said = async () => {
        const found = await store.metadata(stream)()
        return either.isRight(found) ? found.right : found.left
      }
      const say = (metadata: StreamMetadata) => store.setMetadata(stream, metadata)()

      it('are none at first, then what was said last, whole', async () => {
        await appended('none', some(1))
        expect(await said()).toEqual({})
        const acl = { $r: ['$all'], $w: 'depositors' }
        expect(await say({ $maxAge: 3600, $acl: acl, owner: 'Ada 🜁' })).toEqual(either.right(undefined))
        expect(await said()).toEqual({ $maxAge: 3600, $acl: acl, owner: 'Ada 🜁' })
        await say({ owner: 'Grace' })
        expect(await said()).toEqual({ owner: 'Grace' })
        expect((await read()).map((e) => e.revision)).toEqual([0n])
      })

      it('$maxCount is kept to', async () => {
        await say({ $maxCount: 2 })
        await appended('none', some(5))
        expect((await read()).map((e) => e.revision)).toEqual([3n, 4n])
        expect(await said()).toEqual({ $maxCount: 2 })
      })

      it('a tombstoned stream takes none', async () => {
        await appended('none', some(1))
        await store.deleteStream(stream, 'any', 'tombstone')()
        expect(await say({ owner: 'Ada' })).toMatchObject(either.left({ kind: 'StreamDeleted' }))
      })
    })

    describe('reading', () => {
      it('a missing stream reads as empty', async () => expect(await read()).toEqual([]))

      it('gives back what was written, byte for byte', async () => {
        const odd = {
          text: 'line\nbreak \u202e bidi \u0000 nul 🜁',
          nested: [1.5, null, { deep: true }],
          empty: '',
        }
        const written = event('Odd', odd)
        await appended('none', [written])
        const [found] = await read()
        expect(found).toMatchObject({ ...written, stream, revision: 0n })
        expect(found?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      })
      it('forward and backward, from anywhere, with a limit', async () => {
        await appended('none', some(10))
        const revisions = async (...args: Parameters<typeof read>) =>
          (await read(...args)).map((e) => Number(e.revision))
        expect(await revisions(3n, 'forward', 3)).toEqual([3, 4, 5])
        expect(await revisions(3n, 'backward', 3)).toEqual([3, 2, 1])
        expect(await revisions('end', 'backward', 2)).toEqual([9, 8])
        expect(await revisions(20n, 'forward')).toEqual([])
        expect(await revisions(20n, 'backward', 1)).toEqual([9])
      })
      it('all: positions grow, times never fall, nothing is missing', async () => {
        for (const suffix of ['a', 'b', 'a', 'c']) await appended('any', some(2), stream + suffix)
        const events = await readAll(store)
        expect(events.length).toBeGreaterThanOrEqual(8)
        for (const [i, e] of events.entries()) {
          const previous = events[i - 1]
          if (!previous) continue
          expect(e.position > previous.position).toBe(true)
          expect(e.recordedAt >= previous.recordedAt).toBe(true)
        }
      })
      it('all, back: the newest first, and on from there', async () => {
        const { position } = await appended('any', some(5))
        const back = async (before: bigint | 'end', limit: number) => {
          const found = await store.readBack(before, limit)()
          if (either.isLeft(found)) throw new Error('unreadable')
          return found.right
        }
        const newest = await back('end', 3)
        expect(newest[0]?.position).toBe(position)
        expect(newest.map((e) => e.revision)).toEqual([4n, 3n, 2n])
        expect((await back(newest.at(-1)!.position, 2)).map((e) => e.revision)).toEqual([1n, 0n])
      })
      it('names itself, to everybody the same', async () => {
        const other = await under.other()
        const [here, there] = await Promise.all([store.identity()(), other.identity()()])
        expect(either.isRight(here)).toBe(true)
        expect(there).toEqual(here)
      })
      it('all: filters by category and type', async () => {
        await appended('any', [event('Red'), event('Blue')], `${stream}1`)
        await appended('any', [event('Red')], `other-${stream}`)
        const types = async (filter: EventFilter) =>
          (await readAll(store, filter)).map((e) => `${e.stream.split('-')[0]}:${e.type}`)
        expect(await types({ categories: ['contract'] })).toEqual(['contract:Red', 'contract:Blue'])
        expect(await types({ types: ['Red'] })).toEqual(['contract:Red', 'other:Red'])
        expect(await types({ categories: ['other'], types: ['Blue'] })).toEqual([])
      })
    })

    it('all: what is rare or not there at all is looked for a stretch at a time', async () => {
      for (let i = 0; i < 25; i++) await appended('any', some(500))
      await appended('any', [event('Rare')])
      const looks: (readonly [found: number, caughtUp: boolean])[] = []
      for (let after = -1n; ; ) {
        const page = await store.readAll(after, { types: ['Rare'] }, 1000)()
        if (either.isLeft(page)) throw new Error('unreadable')
        expect(page.right.position > after).toBe(true)
        after = page.right.position
        looks.push([page.right.events.length, page.right.caughtUp])
        if (page.right.caughtUp) break
      }
      expect(looks.length).toBeGreaterThan(1)
      expect(looks[0]).toEqual([0, false])
      expect(looks.at(-1)).toEqual([1, true])
      expect(await readAll(store, { types: ['Rare'] })).toHaveLength(1)
    })

    describe('streams may be named after any path', () => {
      it.each([
        'a b%20c.tif',
        '../é/ü',
        '日本語/🜁',
        '$money',
        'line\nbreak \u202e bidi',
        'ends in space ',
        'x'.repeat(4096),
        '日'.repeat(4096),
      ])('%#', async (path) => {
        stream = `contract-main/${path}`
        await appended('none', some(2))
        expect((await read()).map((e) => e.stream)).toEqual([stream, stream])
        const all = await readAll(store, { categories: ['contract'] })
        expect(all.filter((e) => e.stream === stream)).toHaveLength(2)
        expect(await append(5n, some(1))).toEqual(conflict(1n))
        expect(await store.deleteStream(stream, 5n, 'soft')()).toEqual(conflict(1n))
        expect(await store.deleteStream(stream, 5n, 'tombstone')()).toEqual(conflict(1n))
        expect(either.isRight(await store.keepLatest(stream, 5)())).toBe(true)
        expect(either.isRight(await store.deleteStream(stream, 1n, 'soft')())).toBe(true)
        await appended(1n, some(1))
        expect(either.isRight(await store.deleteStream(stream, 2n, 'tombstone')())).toBe(true)
        expect(await append('any', some(1))).toEqual(deleted())
        expect(await store.read(stream, 'start', 'forward', 1)()).toEqual(deleted())
      })
    })

    it("the server's own events ($…) are hidden, and looked past", async () => {
      const metadata = event('$metadata', { $maxCount: 100 })
      await appended('none', some(1))
      await appended('any', [metadata], `$$${stream}`)
      await appended('any', [event('$own')], `${stream}-other`)
      await appended(0n, some(1))
      await appended('any', [{ ...metadata, id: uuid() }], `$$${stream}`)
      const all = await readAll(store)
      expect(all.map((e) => [e.stream, e.type])).toEqual([
        [stream, 'Tested'],
        [stream, 'Tested'],
      ])
      expect(await readAll(store, { types: ['$metadata', '$own'] })).toEqual([])
      expect(await readAll(store, { categories: [`$$${stream.split('-')[0]}`] })).toEqual([])
      expect(await store.readBack('end', 2)()).toEqual(either.right(all.toReversed()))
      const abort = new AbortController()
      const seen: RecordedEvent[] = []
      for await (const { events, caughtUp } of store.subscribe(-1n, {}, abort.signal)) {
        seen.push(...events)
        if (caughtUp) abort.abort()
      }
      expect(seen).toEqual(all)
    })

    describe('subscribing', () => {
      /** Collects until `enough`; resolves with the events. */
      const collect = async (
        from: EventStore,
        after: bigint,
        filter: EventFilter,
        enough: (events: RecordedEvent[]) => boolean,
      ) => {
        const abort = new AbortController()
        const events: RecordedEvent[] = []
        for await (const batch of from.subscribe(after, filter, abort.signal)) {
          events.push(...batch.events)
          if (enough(events)) abort.abort()
        }
        return events
      }

      it('says that nothing more was waiting, also where the last batch is full', async () => {
        await appended('any', some(1000))
        const abort = new AbortController()
        let seen = 0
        for await (const { events, caughtUp } of store.subscribe(-1n, {}, abort.signal)) {
          seen += events.length
          if (caughtUp) abort.abort()
        }
        expect(seen).toBe(1000)
      })

      it('catches up, then lives: every event once, in order', async () => {
        await appended('any', some(5))
        const done = collect(store, -1n, { categories: ['contract'] }, (events) => events.length >= 50)
        for (let i = 0; i < 45; i++) await appended('any', some(1))
        const events = await done
        expect(events.map((e) => Number(e.revision))).toEqual(Array.from({ length: 50 }, (_, i) => i))
      })
      it('resumes behind a position: exclusive', async () => {
        const { position } = await appended('any', some(3))
        await appended('any', some(2))
        const events = await collect(
          store,
          position,
          { categories: ['contract'] },
          (found) => found.length >= 2,
        )
        expect(events.map((e) => e.revision)).toEqual([3n, 4n])
      })
      it('tells that it is live, and how far it has looked past what the filter drops', async () => {
        const { position } = await appended('any', some(3))
        const abort = new AbortController()
        for await (const batch of store.subscribe(-1n, { types: ['Nothing'] }, abort.signal)) {
          expect(batch.events).toEqual([])
          if (!batch.caughtUp) continue
          expect(batch.position >= position).toBe(true)
          abort.abort()
        }
      })
      it('a slow reader loses nothing', async () => {
        const abort = new AbortController()
        const seen: number[] = []
        const writing = (async () => {
          for (let i = 0; i < 30; i++) await appended('any', some(100))
        })()
        for await (const batch of store.subscribe(-1n, { categories: ['contract'] }, abort.signal)) {
          for (let turn = 0; turn < 20; turn++) await setImmediate()
          seen.push(...batch.events.map((e) => Number(e.revision)))
          if (seen.length >= 3000) abort.abort()
        }
        await writing
        expect(seen).toEqual(Array.from({ length: 3000 }, (_, i) => i))
      })
      it('ends when aborted while waiting', async () => {
        const abort = new AbortController()
        const ended = (async () => {
          for await (const batch of store.subscribe(-1n, {}, abort.signal))
            if (batch.caughtUp) queueMicrotask(() => abort.abort())
          return 'ended'
        })()
        expect(await ended).toBe('ended')
      })
      it('sees what another process writes, and another process sees it', async () => {
        const other = await under.other()
        const here = collect(store, -1n, { categories: ['contract'] }, (events) => events.length >= 2)
        const there = collect(other, -1n, { categories: ['contract'] }, (events) => events.length >= 2)
        await appended('none', some(1))
        const result = await other.append(stream, 0n, some(1))()
        expect(either.isRight(result)).toBe(true)
        expect((await here).map((e) => e.revision)).toEqual([0n, 1n])
        expect((await there).map((e) => e.revision)).toEqual([0n, 1n])
      })
    })

    it('property: whatever is appended concurrently, each stream is dense and holds exactly what was acknowledged', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              to: fc.integer({ min: 0, max: 3 }),
              count: fc.integer({ min: 1, max: 4 }),
              exact: fc.boolean(),
            }),
            {
              minLength: 1,
              maxLength: 25,
            },
          ),
          async (plan) => {
            const base = `contract-${uuid()}`
            const acknowledged = new Map<string, string[]>()
            await Promise.all(
              plan.map(async ({ to, count, exact }) => {
                const target = `${base}-${to}`
                const events = some(count)
                const result = await append(exact ? 'none' : 'any', events, target)
                if (either.isRight(result))
                  acknowledged.set(target, [...(acknowledged.get(target) ?? []), ...events.map((e) => e.id)])
              }),
            )
            for (const [target, ids] of acknowledged) {
              const found = await store.read(target, 'start', 'forward', 1000)()
              if (either.isLeft(found)) throw new Error('unreadable')
              expect(found.right.map((e) => e.revision)).toEqual(found.right.map((_, i) => BigInt(i)))
              expect(new Set(found.right.map((e) => e.id))).toEqual(new Set(ids))
            }
          },
        ),
        { numRuns: 15 },
      )
    })
  })
}

const readAll = async (store: EventStore, filter: EventFilter = {}): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for (let after = -1n; ; ) {
    const batch = await store.readAll(after, filter, 7)()
    if (either.isLeft(batch)) throw new Error('unreadable')
    events.push(...batch.right.events)
    if (batch.right.caughtUp) return events
    after = batch.right.position
  }
}

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
