import { isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Condition, Row } from '../../../src/domain/kernel/view.ts'
import type { Generation, StoredShape, Tables, ViewStore } from '../../../src/ports/view-store.ts'

export interface ViewStoreUnderTest {
  readonly store: ViewStore
  /** The same views as a second process has them; absent where they are this process's own. */
  readonly other?: () => ViewStore
  readonly dispose: () => void
}

const things: StoredShape = {
  name: 'things',
  description: 'Rows of every type.',
  key: ['store', 'id'],
  columns: { store: 'text', id: 'integer', name: 'text', size: 'integer', ratio: 'real', tags: 'json' },
  indexes: [['name'], ['size', 'name']],
}
const sums: StoredShape = {
  name: 'sums',
  description: 'One row a name.',
  key: ['name'],
  columns: { name: 'text', total: 'integer' },
}

export const thing = (id: number, more: Row = {}): Row => ({
  store: 'main',
  id,
  name: `thing ${id}`,
  size: id * 10,
  ratio: id / 4,
  tags: null,
  ...more,
})

/** The table, which is there: the generation was made with its shape. */
export const table = (tables: Tables, name = 'things') => tables[name]!

/** How their texts are kept: in rows, or once for all rows. */
export const shapesOf = {
  texts: { things, sums },
  ids: { things: { ...things, ids: ['store', 'name'] }, sums: { ...sums, ids: ['name'] } },
} as const satisfies Readonly<Record<string, { readonly things: StoredShape; readonly sums: StoredShape }>>

/** A store of each test's own, whose live generation has the views `things` and `sums`. */
export const viewStoreFixture = (open: () => ViewStoreUnderTest, kept: keyof typeof shapesOf) => {
  const { things, sums } = shapesOf[kept]
  let under: ViewStoreUnderTest
  let store: ViewStore
  let live: Generation

  beforeEach(() => {
    under = open()
    store = under.store
    live = make()
    store.promote(live)
    live = store.live('p')!
  })
  afterEach(() => under.dispose())

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

  const now = () => ({ under, store, live })
  return { things, sums, now, make, fold, put, ids }
}

export type ViewStoreFixture = ReturnType<typeof viewStoreFixture>
