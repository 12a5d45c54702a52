import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { LockedError, UnavailableError } from '../../../src/async/unavailable.ts'
import { isBusy, isDamage, resultCode, SQLITE_CORRUPT } from '../../sqlite/errors.ts'
import { cacheSize, createFile } from '../../sqlite/files.ts'

/** "FVEW": tells our file from any other SQLite database. */
const applicationId = 0x46564557
const format = 1

export interface Connection {
  readonly db: DatabaseSync
  /** All of `work` or nothing; waits for another process that is writing. */
  write<A>(work: () => A): A
  /** The same, but throws `UnavailableError` where another process is writing. */
  writeAtOnce<A>(work: () => A): A
  /** `work` reads one snapshot, whatever other processes write meanwhile. */
  read<A>(work: () => A): A
  /** For a single statement, which is a snapshot by itself. */
  readOnce<A>(work: () => A): A
  close(): void
}

interface ConnectionOptions {
  /** A file of at most so many bytes is checked for damage. */
  readonly checkedUpTo?: number | undefined
  /** Bytes of pages that SQLite keeps in memory. */
  readonly pageBytes?: number | undefined
}

const defaultPageBytes = 16 * 1024 ** 2
/** For the check of a whole file, whose pages are read once each: they would stay in memory. */
const checkPageBytes = 256 * 1024

/** Opens or makes a views file; `prepare` makes what is missing in it. Throws `UnavailableError`. */
export const connect = (
  file: string,
  prepare: (db: DatabaseSync) => void,
  busyMillis: number,
  { checkedUpTo = 0, pageBytes = defaultPageBytes }: ConnectionOptions = {},
): Connection =>
  explained(file, () => {
    createFile(file)
    const db = new DatabaseSync(file, { timeout: busyMillis })
    try {
      // NORMAL can lose the last transactions in a power cut, rows and checkpoint together: they are folded again.
      db.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA wal_autocheckpoint = 10000;
        PRAGMA journal_size_limit = 67108864;
        PRAGMA cache_size = ${cacheSize(checkPageBytes)};
        PRAGMA cell_size_check = ON;
      `)
      if (file !== '' && checkedUpTo > 0 && statSync(file).size <= checkedUpTo) rejectDamaged(db)
      db.exec(`PRAGMA cache_size = ${cacheSize(pageBytes)}`)
      const connection = connectionOn(db, file, busyMillis)
      connection.write(() => {
        // Nothing is written to a file that is set up: it can be read even where the disk is full.
        if (isNew(db, file))
          db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`)
        prepare(db)
      })
      return connection
    } catch (error) {
      db.close()
      throw error
    }
  })

const connectionOn = (db: DatabaseSync, file: string, busyMillis: number): Connection => {
  const commit = db.prepare('COMMIT')
  const transaction = (begin: string) => {
    const start = db.prepare(begin)
    return <A>(work: () => A): A =>
      explained(file, () => {
        start.run()
        try {
          const result = work()
          commit.run()
          return result
        } catch (error) {
          if (db.isTransaction) db.exec('ROLLBACK')
          throw error
        }
      })
  }
  // A deferred transaction that begins with reading and then writes fails at once beside another writer, without waiting.
  const write = transaction('BEGIN IMMEDIATE')
  return {
    db,
    write,
    writeAtOnce: (work) => {
      db.exec('PRAGMA busy_timeout = 0')
      try {
        return write(work)
      } finally {
        db.exec(`PRAGMA busy_timeout = ${busyMillis}`)
      }
    },
    read: transaction('BEGIN'),
    readOnce: (work) => explained(file, work),
    close: () => {
      if (db.isOpen) db.close()
    },
  }
}

const rejectDamaged = (db: DatabaseSync): void => {
  const found = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
  if (found !== 'ok') throw damaged(String(found))
}

/** An error like SQLite's own about a damaged file. */
export const damaged = (what: string): Error => Object.assign(new Error(what), { errcode: SQLITE_CORRUPT })

/** The views are unavailable because their file is damaged. */
export const areDamaged = (error: unknown): boolean =>
  error instanceof UnavailableError && isDamage(error.cause)

/** Throws `UnavailableError` for a file that is not ours. */
const isNew = (db: DatabaseSync, file: string): boolean => {
  const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  if (pragma('application_id') !== applicationId) {
    if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return true
    throw new UnavailableError(`${file} is a database of something else; give the views a file of their own`)
  }
  const found = pragma('user_version')
  if (found !== format)
    throw new UnavailableError(
      `${file} holds views in format ${found}, this Fonds knows ${format}; delete the file to have them rebuilt`,
    )
  return false
}

const explained = <A>(file: string, work: () => A): A => {
  try {
    return work()
  } catch (error) {
    throw explain(file, error)
  }
}

/** Failures of the machine become `UnavailableError` that says what to do; all other errors stay as they are. */
export const explain = (file: string, error: unknown): unknown => {
  const reason = reasons[resultCode(error)]
  const Kind = isBusy(error) ? LockedError : UnavailableError
  return reason ? new Kind(`${file || 'the views of the past'}: ${reason}`, { cause: error }) : error
}

/** By SQLite's primary result code. */
const reasons: Readonly<Record<number, string>> = {
  5: 'another program keeps the views locked; wait for it or stop it (a backup? a rebuild?)',
  6: 'another program keeps the views locked; wait for it or stop it (a backup? a rebuild?)',
  8: 'the views cannot be written; make the file and its folder writable',
  10: 'the disk failed while the views were read or written; check the disk, then try again',
  11: 'the views are damaged; delete the file to have them rebuilt from the events',
  13: 'the disk is full, nothing was written; make room, and folding continues from there',
  14: 'the views cannot be opened; does the folder exist, and may this user read and write it?',
  26: 'this is not a database; give the views another file',
}
