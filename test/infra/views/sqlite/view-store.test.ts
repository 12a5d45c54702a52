import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { explain } from '../../../../infra/views/sqlite/connection.ts'
import { querySql, successor } from '../../../../infra/views/sqlite/query-sql.ts'
import { openViewStore } from '../../../../infra/views/sqlite/view-store.ts'
import { UnavailableError } from '../../../../src/async/unavailable.ts'
import type { ViewShape } from '../../../../src/domain/kernel/view.ts'
import { viewStoreContract } from '../../../contracts/view-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-views-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const onFile = (cachedRows: number) => () => {
  const file = join(folder, 'views.db')
  const open = () => openViewStore(file, { cachedRows })
  const store = open()
  return { store, other: open, dispose: () => store.close() }
}

viewStoreContract('SQLite file', onFile(1000))
viewStoreContract('SQLite file that remembers hardly any row', onFile(4))
viewStoreContract('SQLite file that remembers no row', onFile(0))
viewStoreContract('SQLite in memory', () => {
  const store = openViewStore(':memory:')
  return { store, dispose: () => store.close() }
})

const shape: ViewShape = {
  name: 'paths',
  description: 'Paths.',
  key: ['path'],
  columns: { path: 'text', due: 'text' },
  indexes: [['due']],
}

describe('SQLite view store', () => {
  it('a file opened again has its rows, checkpoint and live generation', () => {
    const file = join(folder, 'views.db')
    const first = openViewStore(file)
    const generation = first.create('p', 3, [shape])
    first.promote(generation)
    first.fold(generation, -1n, { position: 2n ** 60n, time: null }, ({ paths }) =>
      paths?.put({ path: 'a', due: null }),
    )
    first.close()
    const second = openViewStore(file)
    expect(second.live('p')).toMatchObject({ version: 3 })
    expect(second.checkpoint(generation).position).toBe(2n ** 60n)
    expect(second.query('paths', {})).toEqual([{ path: 'a', due: null }])
    second.close()
  })

  it('a prefix and an order on an indexed column need no scan and no sort', () => {
    const file = join(folder, 'views.db')
    const store = openViewStore(file)
    const generation = store.create('p', 1, [shape])
    store.promote(generation)
    store.close()
    const db = new DatabaseSync(file)
    const planOf = (query: Parameters<typeof querySql>[2]) => {
      const { sql, values } = querySql(shape, generation.id, query)
      return db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail)
    }
    const table = `paths__${generation.id}`
    expect(planOf({ where: [{ column: 'path', is: 'prefix', value: 'a/' }] })).toEqual([
      `SEARCH ${table} USING PRIMARY KEY (path>? AND path<?)`,
    ])
    expect(
      planOf({ where: [{ column: 'due', is: '<=', value: 'x' }], orderBy: [{ column: 'due' }] }),
    ).toEqual([`SEARCH ${table} USING COVERING INDEX ${table}__0 (due<?)`])
    expect(planOf({ orderBy: [{ column: 'due', descending: true }], limit: 5 })).toEqual([
      `SCAN ${table} USING COVERING INDEX ${table}__0`,
    ])
    db.close()
  })

  it('rows whose keys come in no order lie as they came, and are given in order by an index', () => {
    const file = join(folder, 'views.db')
    const store = openViewStore(file)
    const unordered: ViewShape = { ...shape, isUnordered: true, indexes: [], sparse: [['due']] }
    const generation = store.create('p', 1, [unordered])
    store.promote(generation)
    store.fold(generation, -1n, { position: 1n, time: null }, ({ paths }) => {
      for (const path of ['c', 'a', 'd', 'b']) paths?.put({ path, due: path > 'b' ? 'x' : null })
      paths?.put({ path: 'c', due: null })
      paths?.delete('d')
    })
    expect(store.query('paths', {}).map(({ path }) => path)).toEqual(['a', 'b', 'c'])
    expect(store.query('paths', { where: [{ column: 'due', is: '>=', value: '' }] })).toEqual([])
    store.fold(generation, 1n, { position: 2n, time: null }, ({ paths }) => {
      for (const path of ['f', 'e']) paths?.put({ path, due: 'y' })
    })
    const due = [{ column: 'due', is: '<', value: 'z' }] as const
    expect(store.query('paths', { where: due, orderBy: [{ column: 'due' }] })).toEqual([
      { path: 'e', due: 'y' },
      { path: 'f', due: 'y' },
    ])
    store.close()
    const db = new DatabaseSync(file)
    const table = `paths__${generation.id}`
    expect(
      db
        .prepare(`SELECT path FROM ${table} ORDER BY rowid`)
        .all()
        .map(({ path }) => path),
    ).toEqual(['c', 'a', 'b', 'f', 'e'])
    const { sql, values } = querySql(unordered, generation.id, { where: due, orderBy: [{ column: 'due' }] })
    expect(
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail),
    ).toEqual([`SEARCH ${table} USING COVERING INDEX ${table}__sparse0 (due<?)`])
    db.close()
  })

  it('successor: the first text behind all that start so, in the order of UTF-8 bytes', () => {
    expect(successor('a/')).toBe('a0')
    expect(successor('\ud7ff')).toBe('\ue000')
    expect(successor('\uffff')).toBe('\u{10000}')
    expect(successor('a\u{10ffff}\u{10ffff}')).toBe('b')
    expect(successor('\u{10ffff}')).toBeUndefined()
    expect(successor('')).toBeUndefined()
  })

  describe('says what is wrong and what to do', () => {
    const opening = (file: string) => () => openViewStore(file)

    it('not a database', () => {
      const file = join(folder, 'notes.txt')
      writeFileSync(file, 'dear diary, '.repeat(1000))
      expect(opening(file)).toThrow(UnavailableError)
      expect(opening(file)).toThrow(/notes\.txt: this is not a database; give the views another file/)
    })
    it("somebody else's database: refused, and left as it was", () => {
      const file = join(folder, 'other.db')
      const db = new DatabaseSync(file)
      db.exec('CREATE TABLE theirs (a)')
      expect(opening(file)).toThrow(/is a database of something else/)
      expect(db.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }])
      db.close()
    })
    it('views of another format', () => {
      const file = join(folder, 'views.db')
      openViewStore(file).close()
      const db = new DatabaseSync(file)
      db.exec('PRAGMA user_version = 99')
      db.close()
      expect(opening(file)).toThrow(/format 99.*delete the file/)
    })
    it('a folder that is not there', () =>
      expect(opening(join(folder, 'no', 'views.db'))).toThrow(/does the folder exist/))
    it('locked by another program', () => {
      const file = join(folder, 'views.db')
      const store = openViewStore(file, { busyMillis: 20 })
      const generation = store.create('p', 1, [shape])
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      const fold = () => store.fold(generation, -1n, { position: 1n, time: null }, () => {})
      expect(fold).toThrow(UnavailableError)
      expect(fold).toThrow(/another program keeps the views locked/)
      expect(store.checkpoint(generation).position).toBe(-1n)
      other.exec('ROLLBACK')
      other.close()
      expect(isRight(fold())).toBe(true)
      store.close()
    })
    it('a full disk', () => {
      const db = new DatabaseSync(':memory:')
      db.exec('PRAGMA max_page_count = 1')
      let full: unknown
      try {
        db.exec('CREATE TABLE t (a)')
      } catch (error) {
        full = error
      }
      const explained = explain('views.db', full)
      expect(explained).toBeInstanceOf(UnavailableError)
      expect(String(explained)).toMatch(/views\.db: the disk is full, nothing was written/)
      expect(explain('views.db', new Error('a bug'))).toEqual(new Error('a bug'))
    })
  })
})
