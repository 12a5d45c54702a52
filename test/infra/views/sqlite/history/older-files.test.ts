import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '../../../../../infra/views/sqlite/view-store.ts'
import type { Generation } from '../../../../../src/ports/view-store.ts'

/** A copy of a file of test/fixtures/views. */
const copyOf = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'views.db')
  writeFileSync(file, gunzipSync(readFileSync(join(import.meta.dirname, '../../../../fixtures/views', name))))
  return file
}

it('history of the first form is dropped when its views are rebuilt; until then their rows answer', () => {
  const file = copyOf('past-1.db.gz')
  const store = openViewStore(file)
  const [old] = store.generations()
  if (!old) throw new Error('no generation')
  const rows = [
    { task: 't0', state: 'done' },
    { task: 't1', state: 'done' },
    { task: 't2', state: 'open' },
  ]
  expect(store.query('tasks', {})).toEqual(rows)
  expect(store.dropHistory(old, '2026-01-02T00:00:00.000Z')).toBe(false)

  const anew = store.create('tasks', 2, store.views())
  for (let i = 0; i < 10; i++)
    store.fold(anew, BigInt(i - 1), { position: BigInt(i), time: null }, ({ tasks }) =>
      tasks?.put({ task: `t${i % 3}`, state: i % 2 ? 'done' : 'open' }),
    )
  expect(store.query('tasks', {})).toEqual(rows)
  store.promote(anew)
  expect(store.query('tasks', {})).toEqual(rows)
  const then = store.asOf({ ...anew, status: 'live' }, { position: 4n, time: null })
  expect(then.query('tasks', { where: [{ column: 'state', is: '=', value: 'done' }] })).toEqual([
    { task: 't0', state: 'done' },
  ])
  store.close()
  const db = new DatabaseSync(file)
  expect(
    db.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'tasks\\_\\_${old.id}%' ESCAPE '\\'`).all(),
  ).toEqual([])
  db.close()
})

/** Each event of past-2.db, and those that follow it: a task and its state. */
const said = [
  't0 open',
  't1 done',
  't2 open',
  't0',
  't1 open',
  't2 done',
  't0 open',
  't1',
  't2 open',
  't0 done',
]
const saidLater = ['t3 open', 't1 open', 't0']

it('history in which created rows have a version without their start is read, compared and continued', () => {
  const store = openViewStore(copyOf('past-2.db.gz'))
  const [found] = store.generations()
  if (!found) throw new Error('no generation')
  const fold = (generation: Generation, all: readonly string[], first: number) => {
    const from = BigInt(first - 1)
    store.fold(generation, from, { position: from + BigInt(all.length), time: null }, ({ tasks }, begin) => {
      for (const [i, one] of all.entries()) {
        const position = first + i
        begin({
          position: BigInt(position),
          recordedAt: new Date(Date.UTC(2026, 0, 1) + position).toISOString(),
        })
        const [task = '', state] = one.split(' ')
        if (state) tasks?.put({ task, state })
        else tasks?.delete(task)
      }
    })
  }
  const anew = store.create('tasks', 1, store.views())
  fold(anew, said, 0)
  expect(store.compare(found, anew)).toEqual([])
  fold(found, saidLater, said.length)
  fold(anew, saidLater, said.length)
  expect(store.compare(found, anew)).toEqual([])
  const last = said.length + saidLater.length - 1
  const differing = (generation: Generation, since: number, until: number) =>
    store
      .asOf(generation, { position: BigInt(until), time: null })
      .changes('tasks', BigInt(since), { limit: 10 })
  for (let since = -1; since <= last; since++)
    for (let until = since; until <= last; until++)
      expect(differing(found, since, until), `${since} to ${until}`).toEqual(differing(anew, since, until))
  expect(differing(found, 9, last).changes.map(({ key }) => key.task)).toEqual(['t0', 't1', 't3'])
  while (store.dropHistory(found, '2026-01-01T00:00:00.006Z'));
  expect(differing(found, 9, last)).toEqual(differing(anew, 9, last))
  store.close()
})

/** Returns the task and state of an event of past-3.db, or of those that follow it. */
const printedAt = (position: number): readonly [task: string, state: string | undefined] => [
  `t${position % 3}`,
  position % 10 === 7 ? undefined : `s${(position * 7) % 11}`,
]

it('history whose links go by eighths is read as of any moment, and continued', () => {
  const store = openViewStore(copyOf('past-3.db.gz'))
  const [found] = store.generations()
  if (!found) throw new Error('no generation')
  const stored = 300
  const all = 700
  const tasks = new Map<string, string>()
  const rowsAt = Array.from({ length: all }, (_, position) => {
    const [task, state] = printedAt(position)
    if (state === undefined) tasks.delete(task)
    else tasks.set(task, state)
    return [...tasks].map(([task, state]) => ({ task, state })).sort((a, b) => (a.task < b.task ? -1 : 1))
  })
  const expectAll = (until: number) => {
    for (let position = 0; position < until; position++)
      expect(store.asOf(found, { position: BigInt(position), time: null }).query('tasks', {})).toEqual(
        rowsAt[position],
      )
  }
  const fold = (generation: Generation, position: number) =>
    store.fold(
      generation,
      BigInt(position - 1),
      { position: BigInt(position), time: null },
      ({ tasks }, begin) => {
        const recordedAt = new Date(Date.UTC(2026, 0, 1) + position).toISOString()
        begin({ position: BigInt(position), recordedAt })
        const [task, state] = printedAt(position)
        if (state === undefined) tasks?.delete(task)
        else tasks?.put({ task, state })
      },
    )
  expectAll(stored)
  for (let position = stored; position < all; position++) fold(found, position)
  expectAll(all)
  const anew = store.create('tasks', 1, store.views())
  for (let position = 0; position < all; position++) fold(anew, position)
  expect(store.compare(found, anew)).toEqual([])
  store.close()
})
