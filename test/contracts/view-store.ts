import fc from 'fast-check'
import { isRight, left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GenerationGone } from '../../src/async/errors.ts'
import { type Condition, type Row, ViewQueryError, type ViewShape } from '../../src/domain/kernel/view.ts'
import type { Generation, Tables, ViewStore } from '../../src/ports/view-store.ts'

export interface ViewStoreUnderTest {
  readonly store: ViewStore
  /** The same views as a second process has them; absent where they are this process's own. */
  readonly other?: () => ViewStore
  readonly dispose: () => void
}

const things: ViewShape = {
  name: 'things',
  description: 'Rows of every type.',
  key: ['store', 'id'],
  columns: { store: 'text', id: 'integer', name: 'text', size: 'integer', ratio: 'real', tags: 'json' },
  indexes: [['name'], ['size', 'name']],
}
const sums: ViewShape = {
  name: 'sums',
  description: 'One row a name.',
  key: ['name'],
  columns: { name: 'text', total: 'integer' },
}

const thing = (id: number, more: Row = {}): Row => ({
  store: 'main',
  id,
  name: `thing ${id}`,
  size: id * 10,
  ratio: id / 4,
  tags: null,
  ...more,
})

/** The table, which is there: the generation was made with its shape. */
const table = (tables: Tables, name = 'things') => tables[name]!

/** What every view store must do, wherever it keeps the rows. */
export const viewStoreContract = (name: string, open: () => ViewStoreUnderTest) => {
  describe(`view store contract: ${name}`, () => {
    let under: ViewStoreUnderTest
    let store: ViewStore
    let live: Generation

    const make = (version = 1): Generation => store.create('p', version, [things, sums])
    const fold = (from: bigint, to: bigint, apply: (tables: Tables) => void, generation = live, by = store) =>
      by.fold(generation, from, { position: to, time: `2026-01-01T00:00:00.${to + 100n}Z` }, apply)
    const put = (from: bigint, to: bigint, ...rows: readonly Row[]) => {
      const folded = fold(from, to, (tables) => {
        for (const row of rows) table(tables).put(row)
      })
      expect(isRight(folded)).toBe(true)
    }
    const ids = (where: readonly Condition[]) => store.query('things', { where }).map(({ id }) => id)

    beforeEach(() => {
      under = open()
      store = under.store
      live = make()
      store.promote(live)
      live = store.live('p')!
    })
    afterEach(() => under.dispose())

    describe('folding', () => {
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
        const applyOne = (
          tables: Tables,
          { id, by, remove }: { id: number; by: number; remove: boolean },
        ) => {
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
          { numRuns: 30 },
        )
      })
    })

    describe('the log that is folded', () => {
      const place = (position: string) => ({
        stream: 'x-1',
        revision: '0',
        id: `event ${position}`,
        position,
        recordedAt: '2026-01-02T00:00:00.000Z',
      })
      const at = (position: bigint, event = place(`${position}`)) => ({
        position,
        time: event.recordedAt,
        event,
      })

      it('is not known before somebody says so', () => {
        expect(store.foldedLog()).toBeUndefined()
        store.bindTo({ id: 'a log', seen: [] }, [])
        expect(store.foldedLog()).toEqual({ id: 'a log', seen: [] })
        store.bindTo({ id: 'a log', seen: [place('7')] }, [])
        store.bindTo({ id: 'another log', seen: [place('8'), place('11'), place('9')] }, [])
        expect(store.foldedLog()).toEqual({
          id: 'another log',
          seen: [place('8'), place('11'), place('9')],
        })
      })
      it('a checkpoint holds the event that it was moved with; none, before the first', () => {
        expect(store.checkpoint(live).event).toBeNull()
        expect(isRight(store.fold(live, -1n, at(5n, place('3')), () => {}))).toBe(true)
        expect(store.checkpoint(live)).toEqual(at(5n, place('3')))
        fold(5n, 6n, () => {})
        expect(store.checkpoint(live).event).toBeUndefined()
      })
      it('a checkpoint goes back, and its rows stay', () => {
        put(-1n, 5n, thing(1))
        store.bindTo({ id: 'a log', seen: [] }, [{ generation: live, from: 5n, to: at(3n), isWrong: false }])
        expect(store.checkpoint(live)).toEqual(at(3n))
        expect(store.query('things', {})).toEqual([thing(1)])
        put(3n, 4n, thing(2))
        expect(store.query('things', {})).toEqual([thing(1), thing(2)])
      })
      it('with rows that are wrong the whole generation goes; without any it goes back', () => {
        put(-1n, 5n, thing(1))
        const place = store.create('place', 1, [])
        store.promote(place)
        expect(isRight(store.fold(place, -1n, at(5n), () => {}))).toBe(true)
        const to = { position: -1n, time: null, event: null }
        store.bindTo(
          { id: 'a log', seen: [] },
          [live, place].map((generation) => ({ generation, from: 5n, to, isWrong: true })),
        )
        expect(store.live('p')).toBeUndefined()
        expect(store.checkpoint(place)).toEqual(to)
      })
      it('what another process moved or dropped meanwhile stays as it is', () => {
        put(-1n, 5n, thing(1))
        const dropped = store.create('q', 1, [])
        store.drop(dropped)
        const to = { position: -1n, time: null, event: null }
        store.bindTo({ id: 'a log', seen: [] }, [
          { generation: live, from: 4n, to, isWrong: true },
          { generation: dropped, from: -1n, to, isWrong: true },
        ])
        expect(store.checkpoint(live).position).toBe(5n)
      })
    })

    describe('questions', () => {
      beforeEach(() =>
        put(
          -1n,
          1n,
          thing(1, { name: 'a', size: 10 }),
          thing(2, { name: 'ab', size: 20, tags: [1] }),
          thing(3, { name: 'b', size: 20 }),
          thing(4, { name: null, size: null }),
          thing(5, { name: 'a%_*', size: 40 }),
        ),
      )

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
        [
          'a text among numbers',
          () => ids([{ column: 'size', is: 'in', value: [1, 'big'] }]),
          /"big" is none/,
        ],
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
          { numRuns: 60 },
        )
      })
    })

    describe('generations', () => {
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
          expect(() => store.checkpoint(gone)).toThrow(GenerationGone)
          expect(() => fold(-1n, 1n, () => {}, gone)).toThrow(GenerationGone)
          expect(() => store.promote(gone)).toThrow(GenerationGone)
          expect(() => store.query('things', {}, gone)).toThrow(GenerationGone)
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
      it('refuses generations of different shape', () => {
        const other = store.create('p', 2, [{ ...things, columns: { ...things.columns, more: 'text' } }])
        expect(() => store.compare(live, other)).toThrow(/different views or columns/)
      })
    })

    it('scratch is a store of its own', () => {
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
      const scratch = store.scratch()
      scratch.close()
      scratch.close()
      expect(() => scratch.generations()).toThrow()
    })

    describe('two processes on the same views', () => {
      it('what one folds the other sees, and its memory of rows is not trusted', ({ skip }) => {
        const other = under.other?.() ?? skip()
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
        const other = under.other?.() ?? skip()
        put(-1n, 1n, thing(1))
        expect(other.query('things', {})).toEqual([thing(1)])
        const narrow: ViewShape = { ...things, columns: { store: 'text', id: 'integer' }, indexes: [] }
        const next = store.create('p', 2, [narrow])
        fold(-1n, 1n, (tables) => table(tables).put({ store: 'main', id: 2 }), next)
        store.promote(next)
        expect(other.query('things', {})).toEqual([{ store: 'main', id: 2 }])
        expect(other.shape('things')).toEqual(narrow)
        expect(() => fold(1n, 2n, () => {}, live, other)).toThrow(GenerationGone)
        other.close()
      })
    })
  })
}
