import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import type { ViewQuery } from '#src/domain/kernel/view.ts'
import type { Generation, StoredShape, ViewStore } from '#src/ports/view-store.ts'
import { runs } from '../../../../runs.ts'

/* Page P61: ids alone are paged in their own order, though rows hold their numbers; what is written once needs no versions. */

const works = {
  name: 'works',
  description: 'Works.',
  key: ['work'],
  columns: { work: 'text', state: 'text' },
  isUnordered: true,
  ids: ['work'],
  history: {},
} as const satisfies StoredShape

const moves = {
  name: 'moves',
  description: 'Moves of works.',
  key: ['work', 'at'],
  columns: { work: 'text', at: 'integer', to: 'text' },
  isUnordered: true,
  isWrittenOnce: true,
  ids: ['work', 'to'],
  history: { byKey: false },
} as const satisfies StoredShape

const ids = ['b', 'a', 'é', 'ab', '']
const events = fc.array(
  fc.record({
    work: fc.constantFrom(...ids),
    state: fc.constantFrom('open', 'done'),
    isDeleted: fc.boolean(),
    to: fc.option(fc.constantFrom(...ids)),
  }),
  { minLength: 1, maxLength: 12 },
)
type Events = typeof events extends fc.Arbitrary<infer E> ? E : never

const open = (cachedRows: number): { store: ViewStore; live: Generation } => {
  const store = openViewStore(':memory:', { rowBytes: cachedRows * 1000, blockEntries: 3 })
  const live = store.create('p', 1, [works, moves])
  store.promote(live)
  return { store, live: { ...live, status: 'live' } }
}

const fold = (store: ViewStore, live: Generation, all: Events, from: number, to: number): void => {
  store.fold(live, BigInt(from - 1), { position: BigInt(to - 1), time: null }, (tables, begin) => {
    for (let position = from; position < to; position++) {
      begin({ position: BigInt(position), recordedAt: new Date(position).toISOString() })
      const { work, state, isDeleted, to } = all[position] as Events[number]
      if (isDeleted) tables.works?.delete(work)
      else tables.works?.put({ work, state })
      tables.moves?.put({ work, at: position, to })
    }
  })
}

const ofWorks: readonly ViewQuery[] = [
  {},
  { limit: 2 },
  { limit: 2, offset: 1 },
  { orderBy: [{ column: 'work', descending: true }], limit: 2 },
  { where: [{ column: 'work', is: 'prefix', value: 'a' }] },
  { where: [{ column: 'work', is: '>', value: 'a' }], orderBy: [{ column: 'work' }], limit: 2 },
  {
    where: [
      { column: 'work', is: '=', value: 'ab' },
      { column: 'work', is: 'prefix', value: 'a' },
    ],
  },
]
const ofMoves: readonly ViewQuery[] = ids.flatMap((work) => [
  { where: [{ column: 'work', is: '=', value: work }] },
  {
    where: [{ column: 'work', is: '=', value: work }],
    orderBy: [{ column: 'at', descending: true }],
    limit: 1,
  },
  {
    where: [
      { column: 'work', is: '=', value: work },
      { column: 'to', is: '=', value: 'a' },
    ],
  },
])

const answersOf = (store: Pick<ViewStore, 'query' | 'tally'>) => [
  ...ofWorks.map((query) => store.query('works', query)),
  ...ofMoves.map((query) => store.query('moves', query)),
  store.query('moves', {}),
  store.tally('moves', { by: ['to'] }),
]

it('as of any moment they are what they were, without a scan where they are asked by the first column of the key', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 100), (all, batch, cachedRows) => {
      const whole = open(cachedRows)
      for (let from = 0; from < all.length; from += batch)
        fold(whole.store, whole.live, all, from, Math.min(all.length, from + batch))
      const then = open(100)
      for (let position = 0; position < all.length; position++) {
        fold(then.store, then.live, all, position, position + 1)
        const asOf = whole.store.asOf(whole.live, { position: BigInt(position), time: null })
        expect(answersOf(asOf), `at ${position}`).toEqual(answersOf(then.store))
        for (const query of ofWorks) expect(asOf.scanned('works', query)).toBeUndefined()
        for (const query of ofMoves) expect(asOf.scanned('moves', query)).toBeUndefined()
        expect(asOf.scanned('moves', {})).toBeDefined()
        const { changes } = asOf.changes('moves', BigInt(position - 1), { limit: 10 })
        expect(changes).toMatchObject([
          {
            before: undefined,
            after: { work: all[position]?.work, at: position },
            positions: [BigInt(position)],
          },
        ])
      }
      then.store.close()
      whole.store.close()
    }),
    { numRuns: runs(60) },
  )
})
