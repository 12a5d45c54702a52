import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { type Dated, dated, itemStates, type State } from '#src/domain/fixity/item-states.ts'
import { items, views } from '#src/domain/fixity/views.ts'
import type { Row, ViewShape } from '#src/domain/kernel/view.ts'
import type { Section } from '#src/projections/fixity/questions/answers.ts'
import { foldersQuestion } from '#src/projections/fixity/questions/folders-question.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import { runs } from '../../../runs.ts'

const now = '2026-06-01T00:00:00.000Z'
const before = '2026-05-31T22:00:00.000Z'
const later = '2026-06-01T02:00:00.000Z'

const isDated: ReadonlySet<string> = new Set<State>(dated)

/** Views of these items, with what is counted of them. */
const viewsOf = (given: readonly Partial<Row>[], shapes: readonly ViewShape[] = views) => {
  const viewStore = openViewStore(':memory:')
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('fixity', 1, shapes)
  viewStore.promote(generation)
  const late = new Map<string, number>()
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    tables['fixity-stores']?.put({ store: 'main', kind: 'folder', words: {}, awaySeconds: 1 })
    for (const one of given) {
      const path = one.path as string
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
      const row: Partial<Row> = {
        store: 'main',
        folder,
        state: 'verified',
        queue: 'low',
        attempts: 0,
        ...one,
      }
      tables['fixity-items']?.put({ available: row.lateAfter ?? null, ...row })
      if (isDated.has(row.state as string) && typeof row.lateAfter === 'string') {
        const value = `${row.lateAfter.slice(0, 13)} ${row.state as Dated}`
        late.set(value, (late.get(value) ?? 0) + 1)
      }
    }
    for (const [value, count] of late)
      tables['fixity-counts']?.put({ of: 'late', store: 'main', value, count })
  })
  return viewStore
}

interface Answer extends Section {
  readonly folders: readonly (Section & { readonly prefix: string })[]
  readonly largest: readonly { readonly prefix: string }[]
  readonly total: number
  readonly isWhole: boolean
  readonly isLateCounted: boolean
}

const ask = async (store: ReturnType<typeof viewsOf>, given: object = {}): Promise<Answer> => {
  const input = { store: 'main', folder: '', offset: 0, limit: 1000, ...given }
  const answered = await foldersQuestion.ask(store, input, { now } as Asking)
  if (isLeft(answered)) throw new Error(answered.left.message)
  return answered.right as Answer
}

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

it('counts 100,000 folders, and says that there are more', async () => {
  const store = viewsOf(Array.from({ length: 100_001 }, (_, i) => ({ path: `${i}/a` })))
  expect(await ask(store)).toMatchObject({ isWhole: false, total: 100_000, counts: { expected: 100_000 } })
  expect(await ask(store, { folder: '99999' })).toMatchObject({ isWhole: true, counts: { expected: 1 } })
})

it('of more than 20,000 late checks it says that they are counted by what was found last', async () => {
  const store = viewsOf(Array.from({ length: 20_001 }, (_, i) => ({ path: `a/${i}`, lateAfter: before })))
  expect(await ask(store)).toMatchObject({ isLateCounted: false, counts: { verified: 1, late: 20_000 } })
})

it('views of version 14, which answer until they are folded anew, are asked without their column `retry`', async () => {
  const { retry: _, ...columns } = items.columns
  const asOf14: ViewShape = {
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
