import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { GenerationMissing } from '../../../src/async/errors.ts'
import type { Generation, StoredShape, ViewStore } from '../../../src/ports/view-store.ts'
import { table, thing, type ViewStoreFixture } from './fixture.ts'

/** Skipped where the views are one process's own. */
export const sharing = (fixture: ViewStoreFixture) => {
  const { things, fold, put } = fixture

  describe('two processes on the same views', () => {
    let store: ViewStore
    let live: Generation
    beforeEach(() => {
      ;({ store, live } = fixture.now())
    })

    const openOther = () => fixture.now().under.other?.()

    it('what one folds the other sees, and its memory of rows is not trusted', ({ skip }) => {
      const other = openOther() ?? skip()
      put(-1n, 1n, thing(1, { size: 1 }))
      const add = (by: ViewStore, from: bigint) =>
        fold(
          from,
          from + 1n,
          (tables) => {
            const row = table(tables).get('main', 1)
            table(tables).put(thing(1, { size: Number(row?.size) + 1 }))
          },
          live,
          by,
        )
      add(store, 1n)
      add(other, 2n)
      expect(add(store, 2n)).toEqual(left({ kind: 'CheckpointMoved', actual: 3n }))
      add(store, 3n)
      add(other, 4n)
      expect(store.query('things', {})).toEqual([thing(1, { size: 5 })])
      expect(other.query('things', {})).toEqual([thing(1, { size: 5 })])
      other.close()
    })
    it('what one promotes the other asks, with the same view at hand', ({ skip }) => {
      const other = openOther() ?? skip()
      put(-1n, 1n, thing(1))
      expect(other.query('things', {})).toEqual([thing(1)])
      const narrow: StoredShape = {
        ...things,
        columns: { store: 'text', id: 'integer' },
        indexes: [],
        ids: [],
      }
      const next = store.create('p', 2, [narrow])
      fold(-1n, 1n, (tables) => table(tables).put({ store: 'main', id: 2 }), next)
      store.promote(next)
      expect(other.query('things', {})).toEqual([{ store: 'main', id: 2 }])
      expect(other.shape('things')).toEqual(narrow)
      expect(() => fold(1n, 2n, () => {}, live, other)).toThrow(GenerationMissing)
      other.close()
    })
  })
}
