import fc from 'fast-check'
import * as either from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../src/ports/event-store.ts'
import { runs } from '../../runs.ts'
import { event } from '../new-event.ts'
import { type EventStoreFixture, some } from './fixture.ts'

export const appending = (fixture: EventStoreFixture) => {
  const { append, appended, read, conflict, deleted } = fixture

  describe('append truth table', () => {
    let store: EventStore
    let stream: string
    beforeEach(() => {
      ;({ store, stream } = fixture.now())
    })

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
      expect(again.revision).toBe(fixture.now().under.knowsIdsAtExactRevision ? 0n : 1n)
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
    it('an event without a type, a stream without a name: refused, and nothing is written', async () => {
      const result = await append('any', [event(), event('')])
      expect(result).toMatchObject(
        either.left({ kind: 'Refused', reason: expect.stringContaining('no type') }),
      )
      expect(await read()).toEqual([])
      const nameless = await append('any', some(1), '')
      expect(nameless).toMatchObject(
        either.left({ kind: 'Refused', reason: expect.stringContaining('empty') }),
      )
    })
    it('too large: refused by name before it is written', async () => {
      const huge = event('Tested', { text: 'x'.repeat(9 * 1024 * 1024) })
      const result = await append('any', [huge])
      expect(result).toMatchObject(either.left({ kind: 'TooLarge' }))
      expect(await read()).toEqual([])
    })
  })

  it('property: whatever is appended concurrently, each stream is dense and holds exactly what was acknowledged', async () => {
    const { store } = fixture.now()
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
      { numRuns: runs(15) },
    )
  })
}
