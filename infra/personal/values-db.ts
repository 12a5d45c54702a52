import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { createFile, createFolder } from '../sqlite/files.ts'
import { query } from '../sqlite/query.ts'
import { ensureSchema } from '../sqlite/schema.ts'

/* Rows stay for ever, so that a reference can be told from one of another archive; what is erased has no lookup, key and value. */
const tables = `
  CREATE TABLE personal (
    reference TEXT PRIMARY KEY, lookup BLOB UNIQUE, key BLOB, value BLOB, erased_at TEXT,
    CHECK ((erased_at IS NULL) = (lookup IS NOT NULL AND key IS NOT NULL AND value IS NOT NULL))
  ) STRICT;
  CREATE TABLE master (proof BLOB NOT NULL) STRICT;
  CREATE TABLE erased_to (position TEXT NOT NULL) STRICT
`

/** `check`: of the master key. Throws `UnavailableError` where the file was written under another one. */
export const openValues = (file: string, check: Uint8Array): DatabaseSync => {
  createFolder(dirname(file))
  createFile(file)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  try {
    // Erased values are overwritten with zeros: they are in no page of the file.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    ensureSchema(db, 'personal', 1, tables)
    db.exec('PRAGMA busy_timeout = 10000')
    db.prepare('INSERT INTO master SELECT ? WHERE NOT EXISTS (SELECT 1 FROM master)').run(check)
    const [proof] = query<[Uint8Array]>(db, 'SELECT proof FROM master').get()!
    if (Buffer.compare(proof, check) !== 0)
      throw new UnavailableError(
        `the values in ${file} were kept under another key: put back the key that was there`,
      )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
