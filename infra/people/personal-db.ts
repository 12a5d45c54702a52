import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { People, Person } from '../../src/ports/people.ts'
import { createFile, createFolder } from '../sqlite/files.ts'
import { query } from '../sqlite/query.ts'
import { ensureSchema } from '../sqlite/schema.ts'
import { explained, unavailable } from '../sqlite/write-failures.ts'

const tables = `
  CREATE TABLE people (reference TEXT PRIMARY KEY, name TEXT, mail TEXT, last_seen TEXT) STRICT
`

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
  return {
    note: ({ reference, name = null, mail = null, lastSeen = null }) =>
      attempt((db) => {
        db.prepare('INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)').run(reference, name, mail, lastSeen)
      }),
    find: (references) => {
      if (!opened && !existsSync(file)) return TE.right([])
      return attempt((db) => {
        const one = query<Stored>(db, 'SELECT * FROM people WHERE reference = ?')
        return references.flatMap((reference) => {
          const stored = one.get(reference)
          return stored ? [personOf(stored)] : []
        })
      })
    },
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
  ensureSchema(db, 'people', 1, tables)
  return db
}
