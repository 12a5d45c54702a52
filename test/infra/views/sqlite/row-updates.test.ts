import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRowUpdates } from '#infra/views/sqlite/row-updates.ts'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import type { Row, ViewShape } from '#src/domain/kernel/view.ts'
import { runs } from '../../../runs.ts'

/* Rows of a view that keeps history are written column by column: what is read is what was put. */

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
const shape = {
  name: 'wide',
  description: 'Wide rows.',
  key: ['id'],
  columns: {
    id: 'integer',
    ...(Object.fromEntries(names.map((name) => [name, 'text'])) as Record<(typeof names)[number], 'text'>),
    list: 'json',
  },
  indexes: [['a', 'b']],
  history: {},
} as const satisfies ViewShape

const value = fc.constantFrom('x', 'y', null)
const row = fc.record({
  id: fc.integer({ min: 1, max: 3 }),
  ...(Object.fromEntries(names.map((name) => [name, value])) as Record<string, typeof value>),
  list: fc.constantFrom(null, [], ['x'], { x: null }),
})

describe('rows that are written again', () => {
  it('are as they were put, whichever columns change, however many sets of them', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 4 }), { maxLength: 60 }), (folds) => {
        const store = openViewStore(':memory:', { rowBytes: 2000 })
        try {
          const generation = store.create('p', 1, [shape])
          store.promote(generation)
          const model = new Map<unknown, Row>()
          for (const [i, rows] of folds.entries()) {
            const position = BigInt(i)
            store.fold(generation, position - 1n, { position, time: null, event: null }, ({ wide }) => {
              for (const each of rows) {
                wide!.put(each)
                model.set(each.id, each)
              }
            })
          }
          const sorted = [...model.values()].toSorted((one, other) => Number(one.id) - Number(other.id))
          expect(store.query('wide', { orderBy: [{ column: 'id' }] })).toEqual(sorted)
        } finally {
          store.close()
        }
      }),
      { numRuns: runs(30) },
    )
  })

  it('of more sets of columns than have statements, or not in the file, are left to be written whole', () => {
    const db = new DatabaseSync(':memory:')
    const columns = [
      '"@from" INTEGER',
      '"@count"',
      '"@before"',
      '"@far"',
      'id INTEGER PRIMARY KEY',
      ...names,
      'list',
    ].join(', ')
    db.exec(`CREATE TABLE "wide__1" (${columns}); INSERT INTO "wide__1" (id) VALUES (1)`)
    const update = createRowUpdates(db, shape, 1)
    const empty = { id: 1, ...Object.fromEntries(names.map((name) => [name, null])), list: null }
    const changed = (set: number) => ({
      ...empty,
      ...Object.fromEntries(names.filter((_, i) => set & (1 << i)).map((name) => [name, `${set}`])),
    })
    const written = Array.from({ length: 40 }, (_, set) => update(changed(set), empty, set))
    expect(written.filter(Boolean)).toHaveLength(32)
    expect(update({ ...changed(1), list: ['x'] }, changed(1), 50)).toBe(false)
    expect(update(changed(3), empty, 60)).toBe(true)
    expect(db.prepare('SELECT a, b, "@from" AS f FROM "wide__1"').get()).toEqual({ a: '3', b: '3', f: 60 })
    expect(update({ ...changed(1), id: 2 }, { ...empty, id: 2 }, 61)).toBe(false)
    db.close()
  })

  it('of very many columns are left to be written whole', () => {
    const columns = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`c${i}`, 'integer' as const]))
    const wider: ViewShape = { ...shape, key: ['c0'], columns }
    const db = new DatabaseSync(':memory:')
    const update = createRowUpdates(db, wider, 1)
    const before = Object.fromEntries(Object.keys(columns).map((name) => [name, 0]))
    expect(update({ ...before, c59: 1 }, before, 1)).toBe(false)
    db.close()
  })
})
