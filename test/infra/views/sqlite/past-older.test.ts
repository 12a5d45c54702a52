import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { openViewStore } from '../../../../infra/views/sqlite/view-store.ts'

const kept = join(import.meta.dirname, '../../../fixtures/views/past-1.db.gz')

it('a past that an older program stored goes when its views are folded anew; until then their rows answer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-past-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'views.db')
  writeFileSync(file, gunzipSync(readFileSync(kept)))
  const store = openViewStore(file)
  const [old] = store.generations()
  if (!old) throw new Error('no generation')
  const rows = [
    { task: 't0', state: 'done' },
    { task: 't1', state: 'done' },
    { task: 't2', state: 'open' },
  ]
  expect(store.query('tasks', {})).toEqual(rows)
  expect(store.forgetPast(old, '2026-01-02T00:00:00.000Z')).toBe(false)

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
