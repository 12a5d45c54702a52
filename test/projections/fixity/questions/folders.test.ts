import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { itemStates, type State } from '#src/domain/fixity/item-states.ts'
import { items, views } from '#src/domain/fixity/views.ts'
import { foldersQuestion } from '#src/projections/fixity/questions/folders-question.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { runs } from '../../../runs.ts'
import { ask, before, later, now, viewsOf } from './ask-folders.ts'

it('says of each folder what the report says of it, whatever the items, and wherever it is asked', async () => {
  const anyItem = fc.record({
    path: fc
      .array(fc.constantFrom('a', 'b', 'a!', 'é', '%'), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/')),
    state: fc.constantFrom(...(Object.keys(itemStates) as State[])),
    lateAfter: fc.constantFrom(null, before, later),
    queue: fc.constantFrom('low', 'high'),
    attempts: fc.constantFrom(0, 0, 1),
    heldUntil: fc.constantFrom(null, null, later),
    size: fc.option(fc.nat(100)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyItem, { maxLength: 40 }), async (rows) => {
      const given = rows.map((row) => ({
        ...row,
        removed: itemStates[row.state].expected ? 0 : 1,
        retry: row.attempts > 0 ? row.attempts : null,
        // What was tried in vain is put off, and what is held waits for the end of its claim.
        available: row.attempts > 0 || row.heldUntil !== null ? later : row.lateAfter,
      }))
      const store = viewsOf(given)
      for (const folder of ['', 'a', 'a/b', 'é/a/%']) {
        const prefix = folder === '' ? '' : `${folder}/`
        const [reported] = fixityReport(store, now, {
          store: 'main',
          ...(prefix !== '' && { prefix }),
        }).stores
        const { folders, counts, bytes, total } = await ask(store, { folder })
        expect(folders.toSorted((one, other) => (one.prefix < other.prefix ? -1 : 1))).toEqual(
          reported?.prefixes ?? [],
        )
        expect({ counts, bytes }).toEqual({ counts: reported?.counts, bytes: reported?.bytes })
        expect(total).toBe(folders.length)
      }
    }),
    { numRuns: runs(60) },
  )
})

it('what has something wrong comes first, then what is largest; any row is gone to', async () => {
  const many = (folder: string, n: number) =>
    Array.from({ length: n }, (_, i) => ({ path: `${folder}/${i}` }))
  const store = viewsOf([
    ...many('large', 3),
    ...many('small', 1),
    ...many('late', 1).map((one) => ({ ...one, lateAfter: before })),
    ...many('bad', 2).map((one) => ({ ...one, state: 'failed' })),
  ])
  const { folders, largest } = await ask(store)
  const order = ['bad/', 'late/', 'large/', 'small/']
  expect(folders.map(({ prefix }) => prefix)).toEqual(order)
  expect(largest[0]?.prefix).toBe('large/')
  for (const [offset, prefix] of order.entries())
    expect(await ask(store, { offset, limit: 1 })).toMatchObject({ folders: [{ prefix }], total: 4 })
})

it('views of version 14, which answer until they are folded anew, are asked without their column `retry`', async () => {
  const { retry: _, ...columns } = items.columns
  const asOf14: StoredShape = {
    ...items,
    columns,
    indexes: [
      ['store', 'queue', 'available'],
      ['store', 'attempts'],
    ],
    sparse: [['store', 'heldUntil']],
  }
  const shapes = views.map((view) => (view.name === items.name ? asOf14 : view))
  const late = { path: 'a/late', lateAfter: before, available: later, attempts: 1 }
  const store = viewsOf([late, { path: 'a/well' }], shapes)
  expect(await ask(store)).toMatchObject({ folders: [{ prefix: 'a/', counts: { late: 1, verified: 1 } }] })
})

it('of a store that nobody knows there is no answer', async () => {
  const input = { store: 'nix', folder: '', offset: 0, limit: 1 }
  const answered = await foldersQuestion.ask(viewsOf([]), input, { now } as Asking)
  expect(isRight(answered) || answered.left.code).toBe('no-such-store')
})
