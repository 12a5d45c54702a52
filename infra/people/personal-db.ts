import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { People, Person } from '../../src/ports/people.ts'
import { createFile, createFolder } from '../sqlite/files.ts'
import { query } from '../sqlite/query.ts'
import { ensureSchema } from '../sqlite/schema.ts'
import { createTransaction } from '../sqlite/transaction.ts'
import { explained, unavailable } from '../sqlite/write-failures.ts'

const tables = `
  CREATE TABLE people (reference TEXT PRIMARY KEY, name TEXT, mail TEXT, last_seen TEXT) STRICT
`

const position = 'CREATE TABLE forgotten (position TEXT NOT NULL) STRICT'

/**
 * One SQLite file of names and mail addresses, beside the log and not in it: what is deleted here is gone. It is made with
 * the first person; until then there is no file.
 */
export const openPeople = (file: string): People => {
  let opened: DatabaseSync | undefined
  const db = () => {
    opened ??= open(file)
    return opened
  }
  const attempt = <A>(work: (db: DatabaseSync) => A) =>
    TE.tryCatch(
      async () => work(db()),
      (error) => unavailable(explained(file, error)),
    )
  /** Without a file nobody is kept, and none is made for the question. */
  const reading = <A>(nobody: A, read: (db: DatabaseSync) => A) =>
    opened || existsSync(file) ? attempt(read) : TE.right(nobody)
  return {
    note: ({ reference, name = null, mail = null, lastSeen = null }) =>
      attempt((db) => {
        db.prepare('INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)').run(reference, name, mail, lastSeen)
      }),
    find: (references) =>
      reading<readonly Person[]>([], (db) => {
        const one = query<Stored>(db, 'SELECT * FROM people WHERE reference = ?')
        return references.flatMap((reference) => {
          const stored = one.get(reference)
          return stored ? [personOf(stored)] : []
        })
      }),
    list: () =>
      reading<readonly Person[]>([], (db) =>
        query<Stored>(db, 'SELECT * FROM people ORDER BY name IS NULL, name, reference').all().map(personOf),
      ),
    withMail: (mail) =>
      reading<readonly Person[]>([], (db) =>
        query<Stored>(
          db,
          'SELECT * FROM people WHERE lower(mail) = lower(?) ORDER BY last_seen DESC NULLS LAST, reference',
        )
          .all(mail)
          .map(personOf),
      ),
    forget: (reference) =>
      reading(false, (db) => {
        const { changes } = db.prepare('DELETE FROM people WHERE reference = ?').run(reference)
        // Its write-ahead log has what was written before.
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        return changes > 0
      }),
    forgottenTo: () =>
      reading<bigint | undefined>(undefined, (db) => {
        const [position] = query<[position: string]>(db, 'SELECT position FROM forgotten').get() ?? []
        return BigInt(position ?? -1)
      }),
    forgetUpTo: (position, forgotten) =>
      attempt((db) => {
        const done = createTransaction(db)(() => {
          const one = db.prepare(
            'DELETE FROM people WHERE reference = ? AND (last_seen IS NULL OR last_seen <= ?)',
          )
          for (const { reference, at } of forgotten) one.run(reference, at)
          db.exec('DELETE FROM forgotten')
          db.prepare('INSERT INTO forgotten VALUES (?)').run(String(position))
        })
        if (done.kind === 'failed') throw done.error
        if (done.kind === 'locked') throw new Error('another process is writing to it')
        if (forgotten.length > 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      }),
    close: () => {
      opened?.close()
      opened = undefined
    },
  }
}

type Stored = [reference: string, name: string | null, mail: string | null, lastSeen: string | null]

const personOf = ([reference, name, mail, lastSeen]: Stored): Person => ({
  reference,
  ...(name !== null && { name }),
  ...(mail !== null && { mail }),
  ...(lastSeen !== null && { lastSeen }),
})

const open = (file: string): DatabaseSync => {
  createFolder(dirname(file))
  createFile(file)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  // Deleted rows are overwritten with zeros: a name that was deleted is in no page of the file.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
  ensureSchema(db, 'people', 2, `${tables}; ${position}`, { 1: position })
  return db
}
