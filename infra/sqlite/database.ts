import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type GroupCommit, groupCommit } from './group-commit.ts'
import { query } from './query.ts'
import { type SameFiles, sameFiles } from './same-files.ts'
import { isFull, WriterAway } from './write-faults.ts'

/** `full`: every acknowledged write survives a power cut. `normal`: it survives a crash of the process. */
export type Durability = 'full' | 'normal'

/** One SQLite file: a writer whose work is committed in groups, a reader beside it, and word of every change. */
export interface Database {
  readonly file: string
  readonly writer: DatabaseSync
  readonly reader: DatabaseSync
  readonly commit: GroupCommit
  readonly lost: SameFiles
  /** Why nothing can be written; undefined where it can. Where the last write was refused, one is tried. */
  trouble(): Promise<string | undefined>
  /** Called after each commit, this process's at once, another's within `pollMillis`. Returns the way to stop it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly durability?: Durability
  /** How often to look for other processes' commits. */
  readonly pollMillis?: number
}

/** A writer that waits inside the driver blocks the event loop: only while starting is that acceptable. */
const patience = { short: 'PRAGMA busy_timeout = 20', long: 'PRAGMA busy_timeout = 10000' }

/** The file is not usable: the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** A newer Fonds has written it. */
export class NewerFormat extends DatabaseError {
  override readonly name = 'NewerFormat'
}

export const openDatabase = (file: string, options: DatabaseOptions = {}): Database => {
  const { durability = 'full', pollMillis = 50 } = options
  makeFolder(dirname(file))
  const writer = connect(file, durability)
  writer.exec(patience.short)
  const reader = connect(file, durability)
  reader.exec('PRAGMA query_only = ON')

  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }

  const dataVersion = query<[version: number]>(writer, 'PRAGMA data_version')
  const version = () => dataVersion.get()?.[0]
  let seen = version()
  let poll: NodeJS.Timeout | undefined
  const look = () => {
    try {
      const now = version()
      if (now === seen) return
      seen = now
    } catch {
      // The file cannot be read now. Whoever reads or writes next is told; the next look finds the change.
      return
    }
    notify()
  }

  const lost = sameFiles(file)
  lost()
  const commit = groupCommit(writer, file, notify, lost)
  const trouble = async (): Promise<string | undefined> => {
    const reason = lost() ?? (commit.refused() && isFull(file))
    if (reason !== undefined || commit.refused() === undefined) return reason
    try {
      await commit.submit(() => rewriteHeader(writer))
      commit.recovered()
      return undefined
    } catch (error) {
      if (error instanceof WriterAway) return error.message
      throw error
    }
  }
  let closed = false
  return {
    file,
    writer,
    reader,
    commit,
    lost,
    trouble,
    onChange: (listener) => {
      listeners.add(listener)
      poll ??= setInterval(look, pollMillis)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(poll)
        poll = undefined
      }
    },
    close: async () => {
      if (closed) return
      closed = true
      await commit.drain()
      clearInterval(poll)
      reader.close()
      writer.close()
    },
  }
}

/** The smallest write there is: a number that stays as it was. */
const rewriteHeader = (db: DatabaseSync): void => {
  const [version = 0] = query<[version: number]>(db, 'PRAGMA user_version').get() ?? []
  db.exec(`PRAGMA user_version = ${version}`)
}

/** With those above it. Step by step: Node's own recursive way goes on for ever where a parent takes no folders (`/proc`). */
export const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw new DatabaseError(`${folder} cannot be made: ${(error as Error).message}`)
  }
}

/** SQLite would make it for its user alone to write, whatever the process lets new files be; `-wal` and `-shm` follow it. */
export const makeFile = (file: string): void => {
  if (file === '' || file === ':memory:' || existsSync(file)) return
  try {
    closeSync(openSync(file, 'a'))
  } catch {
    // SQLite then says why it cannot be opened.
  }
}

const connect = (file: string, durability: Durability): DatabaseSync => {
  try {
    makeFile(file)
    const db = new DatabaseSync(file, { timeout: 10_000 })
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'};
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA cache_size = -65536;
      PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = OFF;
      PRAGMA cell_size_check = ON;
    `)
    return db
  } catch (error) {
    throw new DatabaseError(`${file}: ${isFull(file) ?? (error as Error).message}`)
  }
}

/**
 * Makes a component's tables where they are missing, and brings older ones to `version` step by step. A file written by a newer Fonds is refused rather than guessed at.
 */
export const ensureSchema = (
  db: DatabaseSync,
  component: string,
  version: number,
  ddl: string,
  upgrades: Readonly<Record<number, string>> = {},
): void => {
  db.exec(`${patience.long}; BEGIN IMMEDIATE`)
  try {
    db.exec(
      'CREATE TABLE IF NOT EXISTS fonds_schema (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT',
    )
    const found = db.prepare('SELECT version FROM fonds_schema WHERE component = ?').get(component) as
      | { version: number }
      | undefined
    if (found && found.version > version)
      throw new NewerFormat(
        `the ${component} tables have format ${found.version}, this Fonds knows ${version}: run a newer Fonds on this file`,
      )
    if (!found) {
      db.exec(ddl)
      db.prepare('INSERT INTO fonds_schema VALUES (?, ?)').run(component, version)
    } else if (found.version < version) {
      for (let from = found.version; from < version; from++) db.exec(upgrades[from] ?? '')
      db.prepare('UPDATE fonds_schema SET version = ? WHERE component = ?').run(version, component)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec(patience.short)
  }
}
