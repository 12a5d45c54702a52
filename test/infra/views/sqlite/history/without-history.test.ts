import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import { HistoryNotKept } from '../../../../../src/domain/kernel/view.ts'
import type { Generation, ViewStore } from '../../../../../src/ports/view-store.ts'
import { temporaryFolder } from '../../../../workers/indexing/temporary-folder.ts'

/* Page P61: keeping history is a choice, also of who runs it. */

const shape = {
  name: 'things',
  description: 'Things.',
  key: ['id'],
  columns: { id: 'text', size: 'integer' },
  history: { by: [['size']] },
} as const

const open = (file: string, keepsHistory: boolean): ViewStore => {
  const store = openViewStore(file, { keepsHistory })
  onTestFinished(() => store.close())
  return store
}

/** The thing grows with each event. */
const grow = (store: ViewStore, generation: Generation, events: number): void => {
  for (let position = 0; position < events; position++)
    store.fold(
      generation,
      BigInt(position - 1),
      { position: BigInt(position), time: null },
      ({ things }, begin) => {
        begin({ position: BigInt(position), recordedAt: '2026-01-01T00:00:00.000Z' })
        things?.put({ id: 'a', size: position })
      },
    )
}

it('views that are created without history say so, as of any moment', () => {
  const store = open(':memory:', false)
  const made = store.create('p', 1, [shape])
  store.promote(made)
  grow(store, made, 3)
  expect(store.query('things', {})).toEqual([{ id: 'a', size: 2 }])
  expect(store.shape('things')).not.toHaveProperty('history')
  expect(() => store.asOf(made, { position: 1n, time: null }).query('things', {})).toThrow(HistoryNotKept)
})

it('views that were made with one go on keeping it, until they are folded anew; rows are compared all the same', () => {
  const file = `${temporaryFolder()}.db`
  const before = open(file, true)
  const kept = before.create('p', 1, [shape])
  before.promote(kept)
  grow(before, kept, 2)

  const store = open(file, false)
  store.fold(kept, 1n, { position: 2n, time: null }, ({ things }, begin) => {
    begin({ position: 2n, recordedAt: '2026-01-01T00:00:00.000Z' })
    things?.put({ id: 'a', size: 2 })
  })
  const sizesAt = (position: bigint) => store.asOf(kept, { position, time: null }).query('things', {})
  expect([0n, 1n, 2n].map(sizesAt)).toEqual([0, 1, 2].map((size) => [{ id: 'a', size }]))

  const anew = store.create('p', 1, [shape])
  grow(store, anew, 3)
  expect(store.compare(kept, anew)).toEqual([])
  expect(store.compare(anew, kept)).toEqual([])
  store.promote(anew)
  expect(() => sizesAt(1n)).toThrow()
  expect(store.query('things', {})).toEqual([{ id: 'a', size: 2 }])
})
