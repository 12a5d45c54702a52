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
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { viewStoreContract } from '../../../contracts/view-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-views-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const onFile = (cachedRows: number) => () => {
  const file = join(folder, 'views.db')
  const open = () => openViewStore(file, { rowBytes: cachedRows * 1000 })
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

const shape: StoredShape = {
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
    const unordered: StoredShape = { ...shape, isUnordered: true, indexes: [], sparse: [['due']] }
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

  it('a view that is written once is put without a look, and tells each moment', () => {
    const once = {
      ...shape,
      isUnordered: true,
      isWrittenOnce: true,
      history: {},
    } as const satisfies StoredShape
    const store = openViewStore(':memory:')
    const generation = store.create('p', 1, [once])
    const fold = (position: bigint, puts: readonly (readonly [path: string, due: string])[]) =>
      store.fold(generation, position - 1n, { position, time: null }, ({ paths }, begin) => {
        begin({ position, recordedAt: '2026-01-31T12:00:00.000Z' })
        for (const [path, due] of puts) paths?.put({ path, due })
        for (const [path] of puts) expect(paths?.get(path)).toEqual({ path, due: puts.at(-1)?.[1] })
      })
    fold(0n, [['b', 'x']])
    store.promote(generation)
    // Twice in one event: the last counts.
    fold(1n, [
      ['a', 'y'],
      ['a', 'z'],
    ])
    fold(2n, [['c', 'x']])
    const at = (position: bigint) =>
      store.asOf({ ...generation, status: 'live' }, { position, time: null }).query('paths', {})
    const rows = [
      { path: 'a', due: 'z' },
      { path: 'b', due: 'x' },
      { path: 'c', due: 'x' },
    ]
    expect(store.query('paths', {})).toEqual(rows)
    expect(at(2n)).toEqual(rows)
    expect(at(1n)).toEqual(rows.slice(0, 2))
    expect(at(0n)).toEqual([{ path: 'b', due: 'x' }])
    expect(() =>
      store.fold(generation, 2n, { position: 3n, time: null }, ({ paths }) => paths?.delete('a')),
    ).toThrow('view paths is written once: none of its rows is deleted')
    expect(store.query('paths', {})).toEqual(rows)
    store.close()
  })

  it('ids are kept once for all views: rows and indexes hold numbers, which grow as ids come', () => {
    const file = join(folder, 'views.db')
    const store = openViewStore(file)
    const copies: StoredShape = {
      name: 'copies',
      description: 'Copies of paths.',
      key: ['path', 'of'],
      columns: { path: 'text', of: 'text', size: 'integer' },
      indexes: [['of']],
      ids: ['path', 'of'],
    }
    const paths: StoredShape = { ...shape, ids: ['path'] }
    const first = store.create('p', 1, [paths, copies])
    store.promote(first)
    store.fold(first, -1n, { position: 1n, time: null }, (tables) => {
      for (const path of ['c', 'a', 'b']) tables.paths?.put({ path, due: null })
      for (const path of ['b', 'a']) tables.copies?.put({ path, of: 'c', size: 1 })
    })
    const broken = () =>
      store.fold(first, 1n, { position: 2n, time: null }, (tables) => {
        tables.paths?.put({ path: 'never', due: null })
        tables.copies?.put({ path: 'never', of: 'a', size: 0.5 })
      })
    expect(broken).toThrow(/whole number/)
    store.fold(first, 1n, { position: 2n, time: null }, ({ copies }) => copies?.delete('a', 'c'))

    expect(store.query('paths', {}).map(({ path }) => path)).toEqual(['a', 'b', 'c'])
    expect(store.query('copies', {})).toEqual([{ path: 'b', of: 'c', size: 1 }])
    const db = new DatabaseSync(file)
    expect(
      db
        .prepare(`SELECT * FROM "ids-${first.id}" ORDER BY 1`)
        .all()
        .map((row) => Object.values(row)),
    ).toEqual([
      [1, 'c'],
      [2, 'a'],
      [3, 'b'],
    ])
    expect(db.prepare(`SELECT * FROM copies__${first.id}`).all()).toMatchObject([{ path: 3, of: 1, size: 1 }])
    const planOf = (view: StoredShape, query: Parameters<typeof querySql>[2]) => {
      const { sql, values } = querySql(view, first.id, query)
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
      return steps.map(({ detail }) => (detail as string).replace(/ USING.*/, ''))
    }
    // A page in the order of the key begins with the ids, and sorts but the rows of one.
    expect(planOf(copies, { where: [{ column: 'path', is: '>', value: 'a' }], limit: 10 })).toEqual([
      'SEARCH path id',
      `SEARCH copies__${first.id}`,
      'SEARCH of id',
      'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ])
    expect(planOf(copies, { where: [{ column: 'of', is: '=', value: 'c' }], limit: 10 })[0]).toBe(
      'SEARCH of id',
    )

    const second = store.create('p', 2, [shape])
    store.promote(second)
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'ids%'").all()).toEqual([])
    db.close()
    store.close()
  })

  it('columns of ids must hold text', () => {
    const store = openViewStore(':memory:')
    const wrong: StoredShape = { ...shape, columns: { path: 'text', due: 'integer' }, ids: ['due'] }
    expect(() => store.create('p', 1, [wrong])).toThrow(/view paths: the column of ids due must hold text/)
    store.close()
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
    it('locked by another program, where it is not urgent: nothing waits', () => {
      const file = join(folder, 'views.db')
      const store = openViewStore(file, { busyMillis: 600_000 })
      const generation = store.create('p', 1, [shape])
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      const pass = () => store.pass([{ generation, from: -1n, to: { position: 1n, time: null } }])
      expect(pass).toThrow(/another program keeps the views locked/)
      other.exec('ROLLBACK')
      other.close()
      expect(pass()).toEqual([true])
      expect(store.checkpoint(generation).position).toBe(1n)
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
