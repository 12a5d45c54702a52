import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openMendingViews } from '../../../../infra/views/sqlite/replace-damaged.ts'
import { UnavailableError } from '../../../../src/async/unavailable.ts'
import type { ViewShape } from '../../../../src/domain/kernel/view.ts'
import type { FoldedLog, ViewStore } from '../../../../src/ports/view-store.ts'
import { useFolder } from '../../../e2e/run-fonds.ts'

const shape: ViewShape = {
  name: 'paths',
  description: 'Paths.',
  key: ['path'],
  columns: { path: 'text', more: 'json' },
}

const log: FoldedLog = { id: 'the log', seen: [] }

const rows = Array.from({ length: 2000 }, (_, n) => ({ path: `p${n}`, more: { text: 'x'.repeat(500) } }))

const fill = (store: ViewStore) => {
  const generation = store.create('p', 1, [shape])
  store.promote(generation)
  store.fold(generation, -1n, { position: 7n, time: null, event: null }, ({ paths }) => {
    for (const row of rows) paths?.put(row)
  })
  return generation
}

const opened = () => {
  const file = join(useFolder().folder, 'views.db')
  const store = openMendingViews(file)
  store.bindTo(log, [])
  fill(store)
  store.close()
  return file
}

/** The pages behind the first few, which say what there is. */
const damage = (file: string) => {
  const open = openSync(file, 'r+')
  for (let at = 40 * 4096; at < statSync(file).size; at += 4096)
    writeSync(open, Buffer.alloc(64, 0xa5), 0, 64, at)
  closeSync(open)
}

const aside = (file: string) =>
  readdirSync(join(file, '..')).filter((name) => /^views\.db\.damaged-[\dTZ-]+$/.test(name))

it('damaged when it is opened: the file is kept under another name, and an empty one takes its place', () => {
  const file = opened()
  damage(file)
  const kept: string[] = []
  const store = openMendingViews(file, { onPutAside: (name) => kept.push(name) })
  expect(store.generations()).toEqual([])
  expect(aside(file).map((name) => join(file, '..', name))).toEqual(kept)
  fill(store)
  expect(store.query('paths', {})).toHaveLength(2000)
  store.close()
  expect(openMendingViews(file).query('paths', {})).toHaveLength(2000)
  expect(aside(file)).toHaveLength(1)
})

it('damaged so that it is no database any more', () => {
  const file = opened()
  const open = openSync(file, 'r+')
  writeSync(open, Buffer.alloc(100, 1), 0, 100, 0)
  closeSync(open)
  expect(openMendingViews(file).generations()).toEqual([])
  expect(aside(file)).toHaveLength(1)
})

it('damage met while it is open: that call says so, the next ones find empty views of the same log', () => {
  const file = opened()
  damage(file)
  const store = openMendingViews(file, { checkedUpTo: 0 })
  store.bindTo(log, [])
  const [before] = store.generations()
  expect(() => store.query('paths', {})).toThrow(UnavailableError)
  expect(store.generations()).toEqual([])
  expect(store.foldedLog()).toEqual(log)
  expect(aside(file)).toHaveLength(1)
  const generation = fill(store)
  expect(generation.id).toBeGreaterThan(before!.id + 1000)
  expect(store.query('paths', {})).toHaveLength(2000)
  store.close()
})

it('text that is JSON no more is damage, too', () => {
  const file = opened()
  const db = new DatabaseSync(file)
  const table = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'paths__%'").get()?.name
  db.exec(`UPDATE ${table} SET more = '{"te' WHERE path = 'p7'`)
  db.close()
  const store = openMendingViews(file)
  expect(() => store.query('paths', {})).toThrow(
    /are damaged and are being rebuilt; the damaged file is kept as/,
  )
  expect(store.views()).toEqual([])
  store.close()
})

it('of two that meet the same damage one puts the file aside', () => {
  const file = opened()
  damage(file)
  const [one, other] = [
    openMendingViews(file, { checkedUpTo: 0 }),
    openMendingViews(file, { checkedUpTo: 0 }),
  ]
  expect(() => one.query('paths', {})).toThrow(UnavailableError)
  fill(one)
  expect(() => other.query('paths', {})).toThrow(UnavailableError)
  expect(other.query('paths', {})).toHaveLength(2000)
  expect(aside(file)).toHaveLength(1)
  one.close()
  other.close()
})
