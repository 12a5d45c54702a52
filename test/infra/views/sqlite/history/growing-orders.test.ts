import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import { foldOne, shape, shapes, viewsAt } from './tasks.ts'

/* Rows that come in the order of their keys: blocks of history that only grow. */

const count = 200
const inTransaction = 7
const blockEntries = 8

const task = (n: number, isDeleted = false) => ({
  position: n,
  changes: [{ queue: 'a' as const, task: n, due: null, isDeleted, state: 'open' as const }],
})

it('P62: rows that come in the order of their keys are written once, and are there as of any moment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
  const file = join(folder, 'views.db')
  const store = openViewStore(file, { blockEntries })
  const live = store.create('tasks', 1, shapes)
  store.promote(live)
  for (let from = 0; from < count; from += inTransaction)
    foldOne(
      store,
      live,
      Array.from({ length: Math.min(inTransaction, count - from) }, (_, i) => task(from + i)),
    )

  const db = new DatabaseSync(file, { readOnly: true })
  const written = db.prepare('SELECT SUM(json_array_length("@changes")) AS n FROM "tasks__1__entries0"').get()
  db.close()
  // A change is a position and the values of the key. The first block is copied once: nobody knows where it ends.
  expect(Number(written?.n) / (1 + shape.key.length)).toBeLessThanOrEqual(count + 2 * blockEntries)

  const tasksAt = (position: number) =>
    viewsAt(store, live, position)
      .query('tasks', { where: [{ column: 'queue', is: '=', value: 'a' }] })
      .map((row) => row.task)
  const upTo = (n: number) => Array.from({ length: n + 1 }, (_, i) => i)
  for (let position = 0; position < count; position += 9) expect(tasksAt(position)).toEqual(upTo(position))

  // One goes from the middle of a block that is full.
  const gone = 100
  foldOne(store, live, [{ ...task(gone, true), position: count }])
  expect(tasksAt(count)).toEqual(upTo(count - 1).filter((n) => n !== gone))
  expect(tasksAt(count - 1)).toEqual(upTo(count - 1))
  foldOne(store, live, [{ ...task(gone), position: count + 1 }, task(count + 2)])
  expect(tasksAt(count + 2)).toEqual([...upTo(count - 1), count + 2])
  expect(tasksAt(count)).toEqual(upTo(count - 1).filter((n) => n !== gone))
  store.close()
  rmSync(folder, { recursive: true })
})
