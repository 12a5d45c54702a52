import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { CommittedHeads, HeadsPlace, StreamHeads } from '../../src/ports/proof-log.ts'
import { isDamage } from '../sqlite/errors.ts'
import { createFile, createFolder } from '../sqlite/files.ts'
import { query } from '../sqlite/query.ts'
import { explained } from '../sqlite/write-failures.ts'

const tables = `
  CREATE TABLE IF NOT EXISTS place (origin TEXT NOT NULL, size TEXT NOT NULL, position TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS heads (stream TEXT PRIMARY KEY, leaf INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
const begin = 'BEGIN IMMEDIATE'

/**
 * Heads in a SQLite file, some 20 bytes and its name a stream. One transaction lasts from commit to commit: what a process that
 * ended had not committed is gone, and no other process can begin one meanwhile. A damaged file is replaced by an empty one.
 */
export const openStreamHeads = (file: string): StreamHeads => {
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) throw away(file, error)
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
    return open(file)
  }
}

/** Read on a connection of its own, in one transaction: what is not committed yet is not there. The file's log of writes grows meanwhile. */
export const committedHeads = (file: string): CommittedHeads | undefined => {
  if (!existsSync(file)) return undefined
  let db: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: readMillis })
    db = opened
    db.exec('BEGIN')
    const isMade = query(db, "SELECT 1 FROM sqlite_schema WHERE name = 'place'").get() !== undefined
    const place = isMade ? placeIn(db) : undefined
    if (place) return { place, all: () => allIn(opened), close: () => opened.close() }
  } catch (error) {
    db?.close()
    throw away(file, error)
  }
  db.close()
  return undefined
}

/** A process that closes the file, or opens it, locks it for less. */
const readMillis = 5000

const placeIn = (db: DatabaseSync): HeadsPlace | undefined => {
  const found = query<[origin: string, size: string, position: string]>(db, 'SELECT * FROM place').get()
  if (!found) return undefined
  const [origin, size, position] = found
  return { origin, size: BigInt(size), position: BigInt(position) }
}

const allIn = (db: DatabaseSync): Iterable<readonly [stream: string, leaf: number]> =>
  query<[stream: string, leaf: number]>(db, 'SELECT stream, leaf FROM heads ORDER BY stream').iterate()

/** Rows that one statement writes. */
const many = 100

/** Heads in a file that SQLite makes for as long as they are open. */
export const scratchStreamHeads = (): StreamHeads => open('')

const open = (file: string): StreamHeads => {
  if (file !== '') {
    createFolder(dirname(file))
    createFile(file)
  }
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    // Nothing is lost that the tree's entries do not hold.
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; ${begin}; ${tables}`,
    )
  } catch (error) {
    db.close()
    throw error
  }
  const attempt = <A>(work: () => A): A => {
    try {
      return work()
    } catch (error) {
      throw away(file, error)
    }
  }
  const getAll = query<[leaf: number | null]>(
    db,
    'SELECT h.leaf FROM json_each(?) j LEFT JOIN heads h ON h.stream = j.value ORDER BY j.key',
  )
  const conflict = 'ON CONFLICT (stream) DO UPDATE SET leaf = excluded.leaf'
  const setting = (rows: number) =>
    db.prepare(`INSERT INTO heads VALUES ${Array(rows).fill('(?, ?)').join()} ${conflict}`)
  const [setMany, setOne] = [setting(many), setting(1)]
  const note = db.prepare('INSERT INTO place VALUES (?, ?, ?)')

  return {
    place: () => attempt(() => placeIn(db)),
    get: (streams) =>
      attempt(() => {
        if (streams.length === 0) return []
        return getAll.all(JSON.stringify(streams)).map(([leaf]) => (leaf === null ? undefined : BigInt(leaf)))
      }),
    set: (leaves) =>
      attempt(() => {
        let values: (string | bigint)[] = []
        for (const entry of leaves) {
          values.push(...entry)
          if (values.length < 2 * many) continue
          setMany.run(...values)
          values = []
        }
        for (let i = 0; i < values.length; i += 2) setOne.run(values[i]!, values[i + 1]!)
      }),
    all: () => allIn(db),
    commit: ({ origin, size, position }) =>
      attempt(() => {
        db.exec('DELETE FROM place')
        note.run(origin, String(size), String(position))
        db.exec(`COMMIT; ${begin}`)
      }),
    clear: () => attempt(() => db.exec(`DELETE FROM place; DELETE FROM heads; COMMIT; ${begin}`)),
    close: () => db.close(),
  }
}

const away = (file: string, error: unknown): unknown => {
  const reason = explained(file, error)
  return reason === error
    ? error
    : new UnavailableError(`${file}: ${(reason as Error).message}`, { cause: error })
}
