import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openChangePoll } from './change-poll.ts'
import { cacheSize, createFile, createFolder, DatabaseError } from './files.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { query } from './query.ts'
import { createSameFiles, type SameFiles } from './same-files.ts'
import { busyTimeout } from './schema.ts'
import { isFull, WriterAway } from './write-failures.ts'

/** `full`: every acknowledged write survives a power cut. `normal`: it survives a crash of the process. */
type Durability = 'full' | 'normal'

/** One SQLite file: a writer whose work is committed in groups, a reader, and listeners for every change. */
export interface Database {
  readonly file: string
  readonly writer: DatabaseSync
  readonly reader: DatabaseSync
  readonly commit: GroupCommit
  readonly lost: SameFiles
  /** Why nothing can be written; undefined where it can. After a write that failed, another one is tried. */
  trouble(): Promise<string | undefined>
  /** Called after each commit, this process's at once, another's within `pollMillis`. Returns the way to stop it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

interface DatabaseOptions {
  readonly durability?: Durability
  /** How often to poll for other processes' commits. */
  readonly pollMillis?: number
  /** Bytes of pages that the writer keeps in memory, and the reader. */
  readonly writerPageBytes?: number
  readonly readerPageBytes?: number
}

export const openDatabase = (file: string, options: DatabaseOptions = {}): Database => {
  const { durability = 'full', pollMillis = 50 } = options
  const { writerPageBytes = defaultPageBytes, readerPageBytes = defaultPageBytes } = options
  createFolder(dirname(file))
  const writer = connect(file, durability, writerPageBytes)
  writer.exec(busyTimeout.short)
  const reader = connect(file, durability, readerPageBytes)
  reader.exec('PRAGMA query_only = ON')

  const changes = openChangePoll(writer, pollMillis)
  const lost = createSameFiles(file)
  lost()
  const commit = createGroupCommit(writer, file, changes.notify, lost)
  let closed = false
  return {
    file,
    writer,
    reader,
    commit,
    lost,
    trouble: async () => {
      const reason = lost() ?? (commit.lastFailure() && isFull(file))
      if (reason !== undefined || commit.lastFailure() === undefined) return reason
      try {
        await commit.submit(() => rewriteHeader(writer))
        commit.clearFailure()
        return undefined
      } catch (error) {
        if (error instanceof WriterAway) return error.message
        throw error
      }
    },
    onChange: changes.onChange,
    close: async () => {
      if (closed) return
      closed = true
      await commit.drain()
      changes.close()
      reader.close()
      writer.close()
    },
  }
}

/** The smallest write there is: a number is replaced by itself. */
const rewriteHeader = (db: DatabaseSync): void => {
  const [version = 0] = query<[version: number]>(db, 'PRAGMA user_version').get() ?? []
  db.exec(`PRAGMA user_version = ${version}`)
}

const defaultPageBytes = 8 * 1024 ** 2

const connect = (file: string, durability: Durability, pageBytes: number): DatabaseSync => {
  try {
    createFile(file)
    const db = new DatabaseSync(file, { timeout: 10_000 })
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'};
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA cache_size = ${cacheSize(pageBytes)};
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = FAST;
      PRAGMA foreign_keys = OFF;
      PRAGMA cell_size_check = ON;
    `)
    return db
  } catch (error) {
    throw new DatabaseError(`${file}: ${isFull(file) ?? (error as Error).message}`)
  }
}
