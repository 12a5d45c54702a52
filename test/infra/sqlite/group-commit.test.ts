import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../infra/sqlite/database.ts'
import { WriterAway } from '../../../infra/sqlite/write-failures.ts'

let folder: string
let db: Database
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-group-'))
  db = openDatabase(join(folder, 'x.db'), { pollMillis: 5 })
  db.writer.exec('CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT')
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (n: number) => db.commit.submit(() => db.writer.prepare('INSERT INTO t VALUES (?)').run(n))
const stored = () =>
  db.reader
    .prepare('SELECT n FROM t ORDER BY rowid')
    .all()
    .map((row) => Number(row.n))

it('work of one turn shares a transaction, in order', async () => {
  let commits = 0
  db.onChange(() => commits++)
  await Promise.all([3, 1, 2].map(insert))
  expect(stored()).toEqual([1, 2, 3])
  expect(commits).toBe(1)
})

it('one that throws is rejected alone; the others are committed', async () => {
  const results = await Promise.allSettled([insert(1), insert(1), insert(2)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored()).toEqual([1, 2])
})

it('a listener that throws does not make committed work run again', async () => {
  let runs = 0
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve))
  const stop = db.onChange(() => {
    stop()
    throw new Error('listener')
  })
  await db.commit.submit(() => {
    runs++
    return db.writer.prepare('INSERT INTO t VALUES (7)').run()
  })
  expect(String(await uncaught)).toContain('listener')
  expect(runs).toBe(1)
  expect(stored()).toEqual([7])
})

it('waits for another writer in order, without blocking the event loop', async () => {
  const other = new DatabaseSync(db.file)
  other.exec('BEGIN IMMEDIATE')
  let turns = 0
  const ticking = setInterval(() => {
    if (++turns === 3) other.exec('COMMIT')
  }, 10)
  await Promise.all([5, 6].map(insert))
  clearInterval(ticking)
  other.close()
  expect(turns).toBeGreaterThanOrEqual(3)
  expect(stored()).toEqual([5, 6])
})

it('tells of commits by another process', async () => {
  const told = new Promise<void>((resolve) => {
    const stop = db.onChange(() => {
      stop()
      resolve()
    })
  })
  const other = new DatabaseSync(db.file)
  other.exec('INSERT INTO t VALUES (1)')
  other.close()
  await told
})

it('finishes what waits when it is closed, and takes nothing more', async () => {
  const last = insert(9)
  await db.commit.drain()
  await last
  await expect(insert(10)).rejects.toThrow(WriterAway)
})

it('a transaction holds so many writes, and at least one piece of work', async () => {
  let commits = 0
  db.onChange(() => commits++)
  const sized = (n: number, size: number) =>
    db.commit.submit(() => db.writer.prepare('INSERT INTO t VALUES (?)').run(n), size)
  await Promise.all([sized(1, 1500), sized(2, 500), sized(3, 1), sized(4, 9000), sized(5, 1)])
  expect(stored()).toEqual([1, 2, 3, 4, 5])
  expect(commits).toBe(4)
})
