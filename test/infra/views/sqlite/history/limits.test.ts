import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import { HistoryNotKept, TooManyRows, type ViewQuery } from '../../../../../src/domain/kernel/view.ts'
import type { Generation } from '../../../../../src/ports/view-store.ts'
import { runs } from '../../../../runs.ts'
import { answersOf, foldAll, foldOne, log, numbered, open, shape, shapes, timeOf, viewsAt } from './tasks.ts'

/* Page P65: how far back history is kept, and how much of it one question may read. */

describe('how far back history is kept', () => {
  it('P65: what is kept is what it was, what is older is refused, and a rebuild proves what both keep', () => {
    fc.assert(
      fc.property(log, fc.nat(), fc.constantFrom(shape.name, numbered.name), (events, one, view) => {
        const all = open()
        const live = foldAll(all, events, 2)
        const limit = events[one % events.length]?.position ?? 0
        const before = events.map(({ position }) => answersOf(viewsAt(all.store, live, position), view))
        const rows = answersOf(all.store, view)
        const time = timeOf(limit)
        while (all.store.dropHistory(live, time));
        const kept = Number(all.store.historyFrom(live))
        expect(kept).toBeLessThanOrEqual(limit)
        expect(answersOf(all.store, view)).toEqual(rows)
        for (const [i, { position }] of events.entries())
          if (position >= kept) expect(answersOf(viewsAt(all.store, live, position), view)).toEqual(before[i])
          else expect(() => viewsAt(all.store, live, position).query(view, {})).toThrow(HistoryNotKept)
        // What is written next does not lean on what is gone.
        const last = events.at(-1)?.position ?? 0
        const later = events.map((event) => ({ ...event, position: last + 1 + event.position }))
        for (let i = 0; i < later.length; i += 2) foldOne(all.store, live, later.slice(i, i + 2))
        const other = all.store.create('tasks', 1, shapes)
        for (const event of [...events, ...later]) foldOne(all.store, other, [event])
        expect(all.store.compare(live, other)).toEqual([])
        for (const { position } of later)
          expect(answersOf(viewsAt(all.store, live, position), view)).toEqual(
            answersOf(viewsAt(all.store, other, position), view),
          )
        all.store.close()
      }),
      { numRuns: runs(20) },
    )
  })

  it('P65: what is forgotten is gone from the file, in parts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
    const store = openViewStore(join(folder, 'views.db'), { blockEntries: 8 })
    const generation = store.create('tasks', 1, shapes)
    store.promote(generation)
    const live: Generation = { ...generation, status: 'live' }
    const row = { queue: 'a', due: null, isDeleted: false } as const
    const count = 12_000
    for (let position = 0; position < count; position += 1000)
      foldOne(
        store,
        live,
        Array.from({ length: 1000 }, (_, i) => ({
          position: position + i,
          changes: [{ ...row, task: i % 10, state: i % 3 === 0 ? ('open' as const) : ('done' as const) }],
        })),
      )
    let parts = 0
    while (store.dropHistory(live, timeOf(count))) parts++
    expect(parts).toBeGreaterThan(0)
    store.close()
    const db = new DatabaseSync(join(folder, 'views.db'))
    const left = (table: string) => db.prepare(`SELECT COUNT(*) AS n FROM "tasks__1__${table}"`).get()?.n
    // Numbers go on from the last one.
    expect(left('past')).toBe(1)
    // Those of the last transactions are in blocks that are open still.
    for (const order of [0, 1, 2]) expect(left(`entries${order}`)).toBeLessThan(1100)
    db.close()
    rmSync(folder, { recursive: true })
  })
})

describe('a question that reads all rows of its moment', () => {
  it('is answered up to so many, and refused behind that with what the view is asked by', () => {
    const store = openViewStore(':memory:', { maxScanned: 3 })
    const generation = store.create('tasks', 1, shapes)
    const changes = [1, 2, 3].map((task) => ({
      ...({ queue: 'a', task, due: 1, isDeleted: false, state: 'open' } as const),
    }))
    const live = foldAll({ store, generation }, [{ position: 0, changes }], 1)
    const scan = { where: [{ column: 'due', is: 'in', value: [1] }], limit: 1 } as const satisfies ViewQuery
    const tally = { by: ['queue'] }
    expect(viewsAt(store, live, 0).scanned('tasks', scan)).toBe(3)
    expect(viewsAt(store, live, 0).query('tasks', scan)).toHaveLength(1)
    expect(viewsAt(store, live, 0).tally('tasks', tally)).toEqual([{ queue: 'a', count: 3 }])
    foldOne(store, live, [{ position: 1, changes: changes.slice(0, 1) }])
    const refused = 'few are read by its key (queue, task), or by state, or by due'
    expect(() => viewsAt(store, live, 0).query('tasks', scan)).toThrow(refused)
    expect(() => viewsAt(store, live, 0).tally('tasks', tally)).toThrow(TooManyRows)
    expect(viewsAt(store, live, 0).query('tasks', { limit: 2 })).toHaveLength(2)
    store.close()
  })
})
