import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ViewShape } from '../../../src/domain/kernel/view.ts'
import { pagesOf } from '../../../src/domain/kernel/view-pages.ts'
import { openTestViews } from '../../fakes/views.ts'
import { runs } from '../../runs.ts'

const shape = {
  name: 'things',
  description: '',
  key: ['a', 'b', 'c'],
  columns: { a: 'text', b: 'integer', c: 'text', size: 'integer' },
} as const satisfies ViewShape

const storeWith = (count: number) => {
  const store = openTestViews()
  const generation = store.create('things', 1, [shape])
  store.promote(generation)
  store.fold(generation, -1n, { position: 1n, time: null }, ({ things }) => {
    // Few first values, so that beginnings of keys end in the middle of pages.
    for (let i = 0; i < count; i++)
      things?.put({ a: `a${i % 3}`, b: Math.floor(i / 3) % 50, c: `é${i}`, size: i % 7 })
  })
  return store
}

test('pages together are the whole answer, in order, whatever the limit, the offset and the order', () => {
  const store = storeWith(9000)
  const property = fc.property(
    fc.record({
      limit: fc.option(fc.nat(9500), { nil: undefined }),
      offset: fc.option(fc.nat(9500), { nil: undefined }),
      order: fc.constantFrom([], [{ column: 'size', descending: true }]),
      where: fc.constantFrom(
        [],
        [{ column: 'a', is: '=' as const, value: 'a1' }],
        [{ column: 'size', is: '>' as const, value: 3 }],
      ),
    }),
    ({ limit, offset, order, where }) => {
      const question = {
        where,
        orderBy: order,
        ...(limit !== undefined && { limit }),
        ...(offset !== undefined && { offset }),
      }
      const pages = [...pagesOf(store, shape, question)]
      expect(pages.flat()).toEqual(limit === 0 ? [] : store.query('things', question))
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(2000)
    },
  )
  fc.assert(property, { numRuns: runs(40) })
  store.close()
})
