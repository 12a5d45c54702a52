import { isRight } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { GenerationMissing } from '../../../src/async/errors.ts'
import type { ViewShape } from '../../../src/domain/kernel/view.ts'
import type { Generation, Tables, ViewStore } from '../../../src/ports/view-store.ts'
import { table, thing, type ViewStoreFixture } from './fixture.ts'

export const generations = (fixture: ViewStoreFixture) => {
  const { things, sums, make, fold, put } = fixture

  describe('generations', () => {
    let store: ViewStore
    let live: Generation
    beforeEach(() => {
      ;({ store, live } = fixture.now())
    })

    it('the live one answers until another is promoted; then all others are gone', () => {
      put(-1n, 1n, thing(1))
      const next = make(2)
      const left = make(3)
      fold(-1n, 2n, (tables) => table(tables).put(thing(2)), next)
      expect(store.query('things', {})).toEqual([thing(1)])
      expect(store.query('things', {}, next)).toEqual([thing(2)])
      expect(store.generations().map(({ version, status }) => [version, status])).toEqual([
        [1, 'live'],
        [2, 'building'],
        [3, 'building'],
      ])
      store.promote(next)
      expect(store.live('p')).toMatchObject({ id: next.id, version: 2, status: 'live' })
      expect(store.query('things', {})).toEqual([thing(2)])
      expect(store.generations()).toMatchObject([{ id: next.id, checkpoint: { position: 2n } }])
      for (const gone of [live, left]) {
        expect(() => store.checkpoint(gone)).toThrow(GenerationMissing)
        expect(() => fold(-1n, 1n, () => {}, gone)).toThrow(GenerationMissing)
        expect(() => store.promote(gone)).toThrow(GenerationMissing)
        expect(() => store.query('things', {}, gone)).toThrow(GenerationMissing)
      }
      expect(store.live('p')?.id).toBe(next.id)
    })
    it('knows the shapes of what is live', () => {
      expect(store.views()).toEqual([things, sums])
      expect(store.shape('things')).toEqual(things)
      make(2)
      expect(store.shape('nothing')).toBeUndefined()
      store.drop(live)
      expect(store.views()).toEqual([])
      expect(store.live('p')).toBeUndefined()
      expect(() => store.query('things', {})).toThrow(/no view things yet/)
    })
    it('dropping twice is dropping once, and no id is given again', () => {
      const made = make(2)
      store.drop(made)
      store.drop(made)
      expect(make(2).id).toBeGreaterThan(made.id)
    })
    it('refuses a view that another projection has', () => {
      expect(() => store.create('q', 1, [sums])).toThrow(/p and q both have a view sums/)
    })
    it.each<[string, Partial<ViewShape>, RegExp]>([
      ['without a key', { key: [] }, /has no key/],
      ['with an unknown key', { key: ['nope'] }, /unknown column nope/],
      ['with an unknown index', { indexes: [['nope']] }, /unknown column nope/],
      ['with a key of JSON', { columns: { name: 'json' } }, /cannot hold JSON/],
    ])('refuses a shape %s and makes nothing', (_, wrong, message) => {
      expect(() => store.create('q', 1, [{ ...sums, name: 'wrong', ...wrong }])).toThrow(message)
      expect(store.generations()).toHaveLength(1)
    })
    it('a projection may have no views: it keeps a checkpoint', () => {
      const bare = store.create('bare', 1, [])
      store.promote(bare)
      expect(isRight(fold(-1n, 7n, () => {}, bare))).toBe(true)
      expect(store.checkpoint(bare).position).toBe(7n)
    })
  })

  describe('comparing', () => {
    let store: ViewStore
    let live: Generation
    beforeEach(() => {
      ;({ store, live } = fixture.now())
    })

    it('finds each key that differs, with examples', () => {
      const other = make()
      put(-1n, 9n, thing(1), thing(2), thing(3, { tags: { a: 1 } }), thing(4, { name: null }))
      const write = (tables: Tables) => {
        for (const row of [thing(1), thing(2, { size: 0 }), thing(3, { tags: { a: 1 } }), thing(5)])
          table(tables).put(row)
        table(tables, 'sums').put({ name: 'more', total: 1 })
      }
      fold(-1n, 8n, write, other)
      expect(store.compare(live, other)).toBeUndefined()
      fold(8n, 9n, () => {}, other)
      expect(store.compare(live, other)).toEqual([
        {
          view: 'things',
          rows: 3,
          onlyInFirst: [thing(2), thing(4, { name: null })],
          onlyInSecond: [thing(2, { size: 0 }), thing(5)],
        },
        { view: 'sums', rows: 1, onlyInFirst: [], onlyInSecond: [{ name: 'more', total: 1 }] },
      ])
      expect(store.compare(live, live)).toEqual([])
    })
    it('finds the same beside the event loop', async () => {
      const other = make()
      put(-1n, 9n, thing(1), thing(2))
      const comparer = await store.comparer()
      expect(await comparer.compare(live, other)).toBeUndefined()
      fold(-1n, 9n, (tables) => table(tables).put(thing(1)), other)
      expect(await comparer.compare(live, other)).toEqual(store.compare(live, other))
      expect(await comparer.compare(live, other)).toMatchObject([{ view: 'things', onlyInFirst: [thing(2)] }])
      await comparer.close()
    })
    it('refuses generations of different shape', () => {
      const other = store.create('p', 2, [{ ...things, columns: { ...things.columns, more: 'text' } }])
      expect(() => store.compare(live, other)).toThrow(/different views or columns/)
    })
  })

  it('scratch is a store of its own', () => {
    const { store } = fixture.now()
    put(-1n, 1n, thing(1))
    const scratch = store.scratch()
    expect(scratch.generations()).toEqual([])
    const own = scratch.create('p', 1, [things, sums])
    scratch.promote(own)
    fold(-1n, 1n, (tables) => table(tables).put(thing(2)), own, scratch)
    expect(scratch.query('things', {})).toEqual([thing(2)])
    expect(store.query('things', {})).toEqual([thing(1)])
    scratch.close()
  })

  it('closing twice is closing once', () => {
    const { store } = fixture.now()
    const scratch = store.scratch()
    scratch.close()
    scratch.close()
    expect(() => scratch.generations()).toThrow()
  })
}
