import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Condition, ViewQueryError } from '../../../src/domain/kernel/view.ts'
import type { Tables, ViewStore } from '../../../src/ports/view-store.ts'
import { runs } from '../../runs.ts'
import { table, thing, type ViewStoreFixture } from './fixture.ts'

export const questions = (fixture: ViewStoreFixture) => {
  const { make, fold, put, ids } = fixture

  describe('questions', () => {
    let store: ViewStore
    beforeEach(() => {
      ;({ store } = fixture.now())
      put(
        -1n,
        1n,
        thing(1, { name: 'a', size: 10 }),
        thing(2, { name: 'ab', size: 20, tags: [1] }),
        thing(3, { name: 'b', size: 20 }),
        thing(4, { name: null, size: null }),
        thing(5, { name: 'a%_*', size: 40 }),
      )
    })

    it('gives the columns that are asked for', () => {
      expect(
        store.query('things', {
          columns: ['size', 'tags'],
          where: [{ column: 'name', is: '=', value: 'ab' }],
        }),
      ).toEqual([{ size: 20, tags: [1] }])
      expect(() => store.query('things', { columns: ['none'] })).toThrow(ViewQueryError)
    })

    it.each<[Condition, readonly number[]]>([
      [{ column: 'name', is: '=', value: 'a' }, [1]],
      [{ column: 'name', is: '!=', value: 'a' }, [2, 3, 4, 5]],
      [{ column: 'name', is: '=', value: null }, [4]],
      [{ column: 'name', is: '!=', value: null }, [1, 2, 3, 5]],
      [{ column: 'size', is: '<', value: 20 }, [1]],
      [{ column: 'size', is: '<=', value: 20 }, [1, 2, 3]],
      [{ column: 'size', is: '>', value: 20 }, [5]],
      [{ column: 'size', is: '>=', value: 20 }, [2, 3, 5]],
      [{ column: 'size', is: '=', value: '20' }, [2, 3]],
      [{ column: 'name', is: 'prefix', value: 'a' }, [1, 2, 5]],
      [{ column: 'name', is: 'prefix', value: 'a%' }, [5]],
      [{ column: 'name', is: 'prefix', value: '' }, [1, 2, 3, 5]],
      [{ column: 'tags', is: '!=', value: null }, [2]],
      [{ column: 'name', is: 'in', value: ['b', 'a%_*', 'none', 'b'] }, [3, 5]],
      [{ column: 'size', is: 'in', value: [10, '40', 7] }, [1, 5]],
      [{ column: 'size', is: 'in', value: [] }, []],
    ])('%j', (condition, expected) => expect(ids([condition])).toEqual(expected))

    it('all conditions must hold; values are never read as SQL', () => {
      expect(
        ids([
          { column: 'size', is: '=', value: 20 },
          { column: 'name', is: 'prefix', value: 'a' },
        ]),
      ).toEqual([2])
      expect(ids([{ column: 'name', is: '=', value: "' OR 1=1 --" }])).toEqual([])
    })
    it('orders, with the key last, and pages without gap or repeat', () => {
      const orderBy = [{ column: 'size', descending: true }]
      const all = store.query('things', { orderBy }).map(({ id }) => id)
      expect(all).toEqual([5, 3, 2, 1, 4])
      const pages = [0, 2, 4].flatMap((offset) => store.query('things', { orderBy, limit: 2, offset }))
      expect(pages.map(({ id }) => id)).toEqual(all)
      expect(store.query('things', { offset: 3 }).map(({ id }) => id)).toEqual([4, 5])
      expect(store.query('things', { limit: 0 })).toEqual([])
    })
    it('tallies: groups, counts and adds up', () => {
      expect(store.tally('things', { by: ['size'], sum: ['ratio'] })).toEqual([
        { size: null, count: 1, ratio: 1 },
        { size: 10, count: 1, ratio: 0.25 },
        { size: 20, count: 2, ratio: 1.25 },
        { size: 40, count: 1, ratio: 1.25 },
      ])
      const none = [{ column: 'size', is: '>', value: 1000 }] as const
      expect(store.tally('things', { by: [], sum: ['size'], where: none })).toEqual([{ count: 0, size: 0 }])
      expect(store.tally('things', { by: ['name'], where: none })).toEqual([])
      const sizes = store.tally('things', { by: ['size'] })
      expect(store.tally('things', { by: ['size'], limit: 1 })).toEqual(sizes.slice(0, 1))
      expect(sizes.length).toBeGreaterThan(1)
    })
    it.each<[string, () => unknown, RegExp]>([
      ['an unknown view', () => store.query('nothing', {}), /no view nothing; there are things, sums/],
      [
        'an unknown column',
        () => ids([{ column: 'colour', is: '=', value: 1 }]),
        /no column colour; it has store, id, name, size, ratio, tags/,
      ],
      ['an inherited name', () => ids([{ column: 'constructor', is: '=', value: 1 }]), /no column/],
      ['an unknown order', () => store.query('things', { orderBy: [{ column: 'x"; --' }] }), /no column x/],
      ['an unknown group', () => store.tally('things', { by: ['colour'] }), /no column colour/],
      ['a sum of text', () => store.tally('things', { by: [], sum: ['name'] }), /cannot be added up/],
      ['two columns of one name', () => store.tally('things', { by: ['size'], sum: ['size'] }), /size/],
      ['JSON compared', () => ids([{ column: 'tags', is: '=', value: '[1]' }]), /holds JSON/],
      ['a text as number', () => ids([{ column: 'size', is: '>', value: 'big' }]), /"big" is none/],
      ['empty text as number', () => ids([{ column: 'size', is: '=', value: '' }]), /"" is none/],
      ['prefix of a number', () => ids([{ column: 'size', is: 'prefix', value: '1' }]), /holds numbers/],
      ['JSON among others', () => ids([{ column: 'tags', is: 'in', value: ['[1]'] }]), /holds JSON/],
      ['a text among numbers', () => ids([{ column: 'size', is: 'in', value: [1, 'big'] }]), /"big" is none/],
      ['order against null', () => ids([{ column: 'size', is: '<', value: null }]), /null/],
      ['a negative limit', () => store.query('things', { limit: -1 }), /limit/],
      ['a fractional offset', () => store.query('things', { offset: 0.5 }), /offset/],
    ])('says what is wrong with %s', (_, ask, message) => {
      expect(ask).toThrow(ViewQueryError)
      expect(ask).toThrow(message)
    })
    it('property: prefix finds exactly the texts that start with it', () => {
      const unit = fc.constantFrom(
        'a',
        'b',
        '/',
        '\u0000',
        '\u007f',
        '\u0080',
        'é',
        '\ud7ff',
        '\ue000',
        '\uffff',
        '𐀀',
        '\u{10ffff}',
      )
      const text = fc.string({ unit, maxLength: 4 })
      fc.assert(
        fc.property(fc.uniqueArray(text, { maxLength: 40 }), text, (names, prefix) => {
          const generation = make()
          const write = (tables: Tables) => {
            for (const name of names) table(tables, 'sums').put({ name, total: 1 })
          }
          fold(-1n, 1n, write, generation)
          const found = store.query(
            'sums',
            { where: [{ column: 'name', is: 'prefix', value: prefix }] },
            generation,
          )
          const wanted = names.filter((name) => name.startsWith(prefix))
          expect(found.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted())
          store.drop(generation)
        }),
        { numRuns: runs(60) },
      )
    })
  })
}
