import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../src/ports/clock.ts'
import type { SpentIds } from '../../src/ports/spent-ids.ts'
import { createFile, createFolder } from '../sqlite/files.ts'
import { query } from '../sqlite/query.ts'
import { ensureSchema } from '../sqlite/schema.ts'

const tables = 'CREATE TABLE spent (id TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT'

/** One SQLite file in the home, made with the first id: all processes of the home know an ended session. */
export const openSpentIds = (file: string, clock: Pick<Clock, 'now'>): SpentIds => {
  let opened: Opened | undefined
  const db = () => {
    opened ??= open(file)
    return opened
  }
  return {
    spend: (id, until) => {
      const { forget, add } = db()
      forget.run(clock.now())
      return add.run(id, until).changes > 0
    },
    isSpent: (id) => (opened || existsSync(file) ? db().find.get(id) !== undefined : false),
    close: () => {
      opened?.database.close()
      opened = undefined
    },
  }
}

type Opened = ReturnType<typeof open>

const open = (file: string) => {
  createFolder(dirname(file))
  createFile(file)
  const database = new DatabaseSync(file, { timeout: 10_000 })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  ensureSchema(database, 'spent', 1, tables)
  return {
    database,
    forget: database.prepare('DELETE FROM spent WHERE until < ?'),
    add: database.prepare('INSERT OR IGNORE INTO spent VALUES (?, ?)'),
    find: query<[number]>(database, 'SELECT 1 FROM spent WHERE id = ?'),
  }
}
