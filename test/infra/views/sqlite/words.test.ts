import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { HistoryNotKept, ViewQueryError } from '#src/domain/kernel/view.ts'
import type { Generation, StoredShape, Tables, ViewStore } from '#src/ports/view-store.ts'

const shape: StoredShape = {
  name: 'works',
  description: 'works',
  key: ['work', 'edition'],
  columns: { work: 'text', edition: 'integer', title: 'text', state: 'text' },
  words: { column: 'title', are: 'words' },
}

describe.each([
  ['without history', {}, {}],
  ['with history', { history: {} }, {}],
  ['with ids as numbers', { ids: ['work'], isUnordered: true, history: {} }, {}],
])('words of rows, %s', (_, hints, options) => {
  let store: ViewStore
  let generation: Generation
  let at = -1n
  beforeEach(() => {
    store = openViewStore(':memory:', options)
    generation = store.create('p', 1, [{ ...shape, ...hints }])
    store.promote(generation)
    at = -1n
  })
  afterEach(() => store.close())
  const fold = (apply: (table: NonNullable<Tables[string]>) => void) => {
    store.fold(generation, at, { position: at + 1n, time: null }, (tables) => apply(tables.works!))
    at += 1n
  }
  const found = (begin: string, limit = 10) =>
    store.withWord('works', begin, { limit }).map(({ work, edition }) => `${work}${edition}`)
  const work = (work: string, title: string | null, state = 'new') => ({ work, edition: 1, title, state })

  it('find rows by the beginning of a word, in the order of the words', () => {
    fold((table) => {
      table.put(work('b', 'Herbal, second part'))
      table.put(work('a', 'The herbs'))
      table.put(work('c', null))
    })
    expect(found('her')).toEqual(['b1', 'a1'])
    expect(found('her', 1)).toEqual(['b1'])
    expect(found('herbs')).toEqual(['a1'])
    expect(found('erb')).toEqual([])
    expect(store.withWord('works', 'herbs', { limit: 5, hasText: true })).toEqual([
      { work: 'a', edition: 1, title: 'The herbs' },
    ])
    expect(found('')).toHaveLength(5)
  })

  it('follow the title: words that went find nothing', () => {
    fold((table) => table.put(work('a', 'old words stay')))
    fold((table) => table.put(work('a', 'new words')))
    expect([found('old'), found('stay'), found('new'), found('words')]).toEqual([[], [], ['a1'], ['a1']])
    fold((table) => {
      table.put(work('a', 'old again'))
      table.put(work('a', 'newest'))
    })
    expect([found('old'), found('newest'), found('words')]).toEqual([[], ['a1'], []])
    fold((table) => table.delete('a', 1))
    expect(found('new')).toEqual([])
    fold((table) => table.put(work('a', 'newest')))
    expect(found('new')).toEqual(['a1'])
  })

  it('stay while other columns change', () => {
    fold((table) => table.put(work('a', 'one title')))
    fold((table) => table.put(work('a', 'one title', 'read')))
    expect(found('title')).toEqual(['a1'])
  })

  it('are not written by a fold that fails', () => {
    fold((table) => table.put(work('a', 'first')))
    expect(() =>
      fold((table) => {
        table.put(work('a', 'second'))
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect([found('first'), found('second')]).toEqual([['a1'], []])
    fold((table) => table.put(work('a', 'third')))
    expect([found('first'), found('third')]).toEqual([[], ['a1']])
  })

  it('go with their generation', () => {
    fold((table) => table.put(work('a', 'first')))
    const next = store.create('p', 2, [{ ...shape, ...hints }])
    store.promote(next)
    expect(found('first')).toEqual([])
  })
})

it('file names are one word each', () => {
  const store = openViewStore(':memory:')
  const generation = store.create('p', 1, [{ ...shape, words: { column: 'title', are: 'file names' } }])
  store.promote(generation)
  store.fold(generation, -1n, { position: 1n, time: null }, ({ works }) =>
    works?.put({ work: 'a', edition: 1, title: 'letters/Page 03.TIF', state: null }),
  )
  expect(store.withWord('works', 'page 03', { limit: 5 })).toEqual([{ work: 'a', edition: 1 }])
  expect(store.withWord('works', 'letters', { limit: 5 })).toEqual([])
  store.close()
})

it('a view without words, and a moment of the past, say so', () => {
  const store = openViewStore(':memory:')
  const { words: _, ...bare } = shape
  const generation = store.create('p', 1, [{ ...bare, history: {} }])
  store.promote(generation)
  expect(() => store.withWord('works', 'a', { limit: 1 })).toThrow(ViewQueryError)
  store.fold(generation, -1n, { position: 1n, time: null }, () => {})
  const past = store.asOf(generation, { position: 1n, time: null })
  expect(() => past.withWord('works', 'a', { limit: 1 })).toThrow(HistoryNotKept)
  store.close()
})
