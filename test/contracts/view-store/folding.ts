import fc from 'fast-check'
import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Generation, Tables, ViewStore } from '../../../src/ports/view-store.ts'
import { runs } from '../../runs.ts'
import { table, thing, type ViewStoreFixture } from './fixture.ts'

export const folding = (fixture: ViewStoreFixture) => {
  const { make, fold, put } = fixture

  describe('folding', () => {
    let store: ViewStore
    let live: Generation
    beforeEach(() => {
      ;({ store, live } = fixture.now())
    })

    it('writes rows and checkpoint together', () => {
      expect(store.checkpoint(live)).toEqual({ position: -1n, time: null, event: null })
      put(-1n, 5n, thing(1))
      expect(store.query('things', {})).toEqual([thing(1)])
      expect(store.checkpoint(live)).toEqual({ position: 5n, time: '2026-01-01T00:00:00.105Z' })
    })
    it('refuses a checkpoint that is not the stored one, and does not call apply', () => {
      put(-1n, 5n, thing(1))
      let called = false
      const folded = fold(-1n, 9n, () => {
        called = true
      })
      expect(folded).toEqual(left({ kind: 'CheckpointMoved', actual: 5n }))
      expect(called).toBe(false)
      expect(store.checkpoint(live).position).toBe(5n)
    })
    it('changes nothing when apply throws, and goes on from there', () => {
      put(-1n, 5n, thing(1))
      const boom = () =>
        fold(5n, 6n, (tables) => {
          table(tables).put(thing(1, { name: 'changed' }))
          table(tables).delete('main', 1)
          table(tables).put(thing(2))
          throw new Error('boom')
        })
      expect(boom).toThrow('boom')
      expect(store.checkpoint(live).position).toBe(5n)
      const seen: unknown[] = []
      fold(5n, 6n, (tables) => {
        seen.push(table(tables).get('main', 1), table(tables).get('main', 2))
      })
      expect(seen).toEqual([thing(1), undefined])
      expect(store.query('things', {})).toEqual([thing(1)])
    })
    it('moves checkpoints past what changes no rows, each where it still is, and goes on from there', () => {
      put(-1n, 5n, thing(1))
      const other = make(2)
      const to = { position: 9n, time: null, event: null }
      const passes = [
        { generation: live, from: 5n, to },
        { generation: other, from: 5n, to },
      ]
      expect(store.pass(passes)).toEqual([true, false])
      expect(store.pass(passes)).toEqual([false, false])
      expect([live, other].map((one) => store.checkpoint(one).position)).toEqual([9n, -1n])
      const seen: unknown[] = []
      fold(9n, 10n, (tables) => {
        seen.push(table(tables).get('main', 1))
        table(tables).put(thing(2))
      })
      expect(seen).toEqual([thing(1)])
      expect(store.query('things', { orderBy: [{ column: 'id' }] })).toEqual([thing(1), thing(2)])
    })
    it('refuses to go nowhere or backward: rows change only with the checkpoint', () => {
      put(-1n, 5n)
      expect(() => fold(5n, 5n, () => {})).toThrow(RangeError)
      expect(() => fold(5n, 4n, () => {})).toThrow(RangeError)
    })
    it('reads its own writes, within a fold and from one to the next', () => {
      const seen: unknown[] = []
      fold(-1n, 1n, (tables) => {
        seen.push(table(tables).get('main', 1))
        table(tables).put(thing(1))
        seen.push(table(tables).get('main', 1))
        table(tables).delete('main', 1)
        seen.push(table(tables).get('main', 1))
        table(tables).put(thing(1, { size: 7 }))
      })
      fold(1n, 2n, (tables) => {
        seen.push(table(tables).get('main', 1))
        table(tables).delete('main', 1)
        table(tables).delete('main', 99)
      })
      fold(2n, 3n, (tables) => {
        seen.push(table(tables).get('main', 1))
      })
      expect(seen).toEqual([undefined, thing(1), undefined, thing(1, { size: 7 }), undefined])
      expect(store.query('things', {})).toEqual([])
    })
    it('reads its own writes of a row that was not used for some folds', () => {
      const other = (from: bigint) => put(from, from + 1n, thing(1), thing(2), thing(3))
      const add = (tables: Tables) => {
        const total = Number(table(tables, 'sums').get('a')?.total ?? 0)
        table(tables, 'sums').put({ name: 'a', total: total + 1 })
      }
      fold(-1n, 1n, add)
      other(1n)
      other(2n)
      fold(3n, 4n, (tables) => {
        add(tables)
        table(tables, 'sums').get('b')
        add(tables)
      })
      expect(store.query('sums', {})).toEqual([{ name: 'a', total: 3 }])
    })
    it('keeps keys apart that look alike when joined', () => {
      const odd = [thing(1, { store: 'a' }), thing(11, { store: 'a' }), thing(1, { store: 'a1' })]
      put(-1n, 1n, ...odd, thing(2, { store: 'a\u0000b' }), thing(2, { store: 'a' }))
      expect(store.query('things', {})).toHaveLength(5)
      fold(1n, 2n, (tables) => {
        expect(table(tables).get('a', 11)).toEqual(odd[1])
        expect(table(tables).get('a\u0000b', 2)).toMatchObject({ store: 'a\u0000b' })
      })
    })
    it('gives back what was put: any text, JSON, numbers and missing columns', () => {
      const rows = [
        thing(1, { name: 'nul \u0000 bidi \u202e 🜁 é', tags: { deep: [1, 'two', null, { a: false }] } }),
        thing(2, { name: '', size: Number.MAX_SAFE_INTEGER, ratio: -0.1, tags: 'text' }),
        thing(3, { size: -1, tags: [], ratio: 1e300 }),
        thing(4, { tags: false }),
      ]
      put(-1n, 1n, ...rows, { store: 'main', id: 5 })
      const sparse = { store: 'main', id: 5, name: null, size: null, ratio: null, tags: null }
      expect(store.query('things', {})).toEqual([...rows, sparse])
      fold(1n, 2n, (tables) => {
        expect(table(tables).get('main', 5)).toEqual(sparse)
        expect(table(tables).get('main', 1)).toEqual(rows[0])
      })
    })
    it.each([
      ['an unknown column', thing(1, { colour: 'red' }), /no column colour; it has store, id, name/],
      ['a boolean', thing(1, { size: true }), /column size: .*booleans are 0 and 1.*got true/],
      ['a fraction in an integer', thing(1, { size: 1.5 }), /column size/],
      ['a number in a text', thing(1, { name: 5 }), /column name/],
      ['NaN', thing(1, { ratio: Number.NaN }), /column ratio/],
      ['broken Unicode', thing(1, { name: '\ud800' }), /column name/],
      ['null in the key', thing(1, { store: null }), /column store.*never null in a key/],
      ['a missing key', { id: 1 }, /column store/],
    ])('refuses %s by name', (_, row, message) => {
      expect(() => put(-1n, 1n, row)).toThrow(message)
      expect(store.query('things', {})).toEqual([])
    })
    it('refuses a key that cannot be one', () => {
      const get = (...key: readonly (string | number)[]) =>
        fold(-1n, 1n, (tables) => {
          table(tables).get(...key)
        })
      expect(() => get('main')).toThrow(/key \(store, id\)/)
      expect(() => get(1, 'main')).toThrow(/key \(store, id\)/)
    })
    it('property: however a sequence of changes is cut into folds, the rows are the same', () => {
      const change = fc.record({
        id: fc.integer({ min: 0, max: 6 }),
        by: fc.integer({ min: 1, max: 9 }),
        remove: fc.boolean(),
        cut: fc.boolean(),
      })
      const applyOne = (tables: Tables, { id, by, remove }: { id: number; by: number; remove: boolean }) => {
        const things = table(tables)
        const size = Number(things.get('main', id)?.size ?? 0)
        if (remove && size > 20) things.delete('main', id)
        else things.put(thing(id, { size: size + by, tags: [size] }))
        const total = Number(table(tables, 'sums').get('all')?.total ?? 0)
        table(tables, 'sums').put({ name: 'all', total: total + by })
      }
      const apply = (tables: Tables, changes: readonly Parameters<typeof applyOne>[1][]) => {
        for (const each of changes) applyOne(tables, each)
      }
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 60 }), (changes) => {
          const whole = make()
          const cut = make()
          const end = BigInt(changes.length)
          fold(-1n, end, (tables) => apply(tables, changes), whole)
          let from = -1n
          let waiting: typeof changes = []
          for (const [i, each] of changes.entries()) {
            waiting.push(each)
            if (!each.cut && i < changes.length - 1) continue
            const batch = waiting
            const to = i < changes.length - 1 ? BigInt(i) : end
            fold(from, to, (tables) => apply(tables, batch), cut)
            from = to
            waiting = []
          }
          expect(store.query('things', {}, cut)).toEqual(store.query('things', {}, whole))
          expect(store.compare(whole, cut)).toEqual([])
          store.drop(whole)
          store.drop(cut)
        }),
        { numRuns: runs(30) },
      )
    })
  })
}
