import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import { runs } from '../../../../runs.ts'
import {
  answersOf,
  foldAll,
  foldOne,
  type Log,
  log,
  numbered,
  open,
  questions,
  shape,
  shapes,
  unordered,
  viewsAt,
} from './tasks.ts'

/* Page P61–P67: the history of views. It answers what views answer that were folded up to there and no further. */

describe('the history of views', () => {
  it('P62 P63: at each moment it answers what views that are folded up to there answer', () => {
    fc.assert(
      fc.property(
        log,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(0, 4, 1000),
        fc.integer({ min: 0, max: 8 }),
        (events, batch, cachedRows, promotedAfter) => {
          const all = open(cachedRows)
          const live = foldAll(all, events, batch, promotedAfter)
          const folded = open()
          folded.store.promote(folded.generation)
          const same = (position: number) => {
            const asOf = all.store.asOf(live, { position: BigInt(position), time: null })
            for (const view of [shape.name, unordered.name, numbered.name])
              expect(answersOf(asOf, view)).toEqual(answersOf(folded.store, view))
          }
          for (const event of events) {
            same(event.position - 1)
            foldOne(folded.store, folded.generation, [event])
            same(event.position)
          }
          folded.store.close()
          all.store.close()
        },
      ),
      { numRuns: runs(15) },
    )
  })

  it('P62: it is the same however many events are folded in one transaction, and a version that differs is found', () => {
    fc.assert(
      fc.property(log, fc.integer({ min: 1, max: 9 }), (events, batch) => {
        const { store, generation } = open()
        const live = foldAll({ store, generation }, events, 1)
        const other = store.create('tasks', 1, shapes)
        const end = BigInt(events.at(-1)?.position ?? 0)
        for (let i = 0; i < events.length; i += batch) foldOne(store, other, events.slice(i, i + batch))
        expect(store.compare(live, other)).toEqual([])
        store.fold(live, end, { position: end + 1n, time: null }, ({ tasks }) => {
          tasks?.put({ queue: 'z', task: 1, state: 'open', due: 1 })
        })
        store.fold(live, end + 1n, { position: end + 2n, time: null }, ({ tasks }) => tasks?.delete('z', 1))
        store.fold(other, end, { position: end + 2n, time: null }, () => {})
        expect(store.compare(live, other)).toMatchObject([
          {
            view: 'tasks, its past',
            rows: 1,
            onlyInFirst: [{ queue: 'z', task: 1, state: 'open' }],
            onlyInSecond: [],
          },
        ])
        store.close()
      }),
      { numRuns: runs(10) },
    )
  })

  it('a view that does not keep it, a moment that is not folded yet, and views of others are refused', () => {
    const { store, generation } = open()
    const live = foldAll({ store, generation }, [{ position: 5, changes: [] }], 1)
    const at = (position: bigint) => store.asOf(live, { position, time: null })
    expect(() => at(5n).query('present', {})).toThrow('present keeps no history')
    expect(() => at(6n).query('tasks', {})).toThrow('tasks is folded up to 5, not up to 6')
    expect(() => at(5n).query('others', {})).toThrow(
      'there is no view others; there are tasks, loose, numbered, present',
    )
    store.close()
  })

  it('says which questions read all rows of the moment', () => {
    const { store, generation } = open()
    const live = foldAll({ store, generation }, [{ position: 5, changes: [] }], 1)
    const asOf = store.asOf(live, { position: 5n, time: null })
    const scans = questions.filter((question) => asOf.scanned('tasks', question) !== undefined)
    expect(scans).toEqual(questions.slice(-2))
    store.close()
  })
})

describe('rows that change with many events of a transaction', () => {
  /** Some two rows, which come and go. */
  const busy = fc.array(
    fc.record({
      task: fc.constantFrom(0, 0, 0, 1),
      isDeleted: fc.constantFrom(false, false, false, false, true),
    }),
    {
      minLength: 30,
      maxLength: 60,
    },
  )
  const logOf = (changes: readonly { readonly task: number; readonly isDeleted: boolean }[]): Log =>
    changes.map(({ task, isDeleted }, i) => ({
      position: 2 * i,
      changes: [
        {
          queue: 'a',
          task,
          isDeleted,
          state: i % 5 === 0 ? null : (['open', 'done'] as const)[i % 2],
          due: i % 4,
        },
      ],
    })) as Log

  it('P62 P63: answer as of each event of it, are compared version for version, and differ between any two', () => {
    fc.assert(
      fc.property(busy, fc.integer({ min: 20, max: 60 }), (changes, batch) => {
        const events = logOf(changes)
        const all = open()
        const live = foldAll(all, events, batch)
        const one = all.store.create('tasks', 1, shapes)
        const folded = open()
        folded.store.promote(folded.generation)
        const rowsAt: string[] = []
        for (const event of events) {
          foldOne(folded.store, folded.generation, [event])
          foldOne(all.store, one, [event])
          const asOf = viewsAt(all.store, live, event.position)
          for (const view of [shape.name, numbered.name])
            expect(answersOf(asOf, view)).toEqual(answersOf(folded.store, view))
          rowsAt.push(JSON.stringify(folded.store.query('tasks', {})))
          const since = Math.floor(rowsAt.length / 2)
          const changed = asOf.changes('tasks', BigInt(2 * since), { limit: 10 }).changes
          expect(changed.length === 0).toBe(rowsAt[since] === undefined || rowsAt[since] === rowsAt.at(-1))
        }
        expect(all.store.compare(live, one)).toEqual([])
        folded.store.close()
        all.store.close()
      }),
      { numRuns: runs(4) },
    )
  })

  it('many versions share a record', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
    const store = openViewStore(join(folder, 'views.db'))
    const generation = store.create('tasks', 1, shapes)
    foldOne(store, generation, logOf(Array.from({ length: 3000 }, () => ({ task: 1, isDeleted: false }))))
    store.close()
    const db = new DatabaseSync(join(folder, 'views.db'))
    const { n } = db.prepare('SELECT COUNT(*) AS n FROM "tasks__1__past"').get() ?? {}
    expect(n).toBeGreaterThan(10)
    expect(n).toBeLessThan(3000 / 8)
    db.close()
    rmSync(folder, { recursive: true })
  })
})
