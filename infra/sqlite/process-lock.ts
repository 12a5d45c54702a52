import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LockMark } from '../../src/domain/kernel/leader-lease.ts'
import type { ProcessLock } from '../../src/ports/process-lock.ts'
import { createFolder } from './files.ts'

interface ProcessLockOptions {
  /** Names the boot of this machine. Undefined where it has no name: then no lock proves that a process has ended. */
  readonly bootId?: string | undefined
}

const suffix = '.lock'

/**
 * Node has no file locks, but SQLite has: a transaction that excludes all others, on an empty database of its own, is
 * held until the process ends. All connections of a process must be SQLite's: were the file opened and closed by other
 * means, POSIX would drop the lock.
 */
export const openProcessLock = (
  folder: string,
  { bootId }: ProcessLockOptions = { bootId: bootIdHere() },
): ProcessLock => {
  let held: { readonly db: DatabaseSync; readonly mark: LockMark } | undefined

  const take = (): typeof held => {
    if (bootId === undefined) return undefined
    const file = join(resolve(folder), `${crypto.randomUUID()}${suffix}`)
    let db: DatabaseSync | undefined
    try {
      createFolder(resolve(folder))
      db = new DatabaseSync(file, { timeout: 1000 })
      db.exec('BEGIN EXCLUSIVE')
      const identity = identityOf(file)
      if (!identity) throw new Error(`${file} is gone`)
      return { db, mark: { file, ...identity, bootId } }
    } catch {
      // The folder takes no locks, like those of some network file systems: others wait until the deadline.
      if (db?.isOpen) db.close()
      return undefined
    }
  }

  return {
    mark: () => {
      held ??= take()
      return held?.mark
    },
    hasEnded: (mark) => {
      if (mark.file === held?.mark.file) return false
      if (bootId === undefined || mark.bootId !== bootId || !isFree(mark.file)) return false
      const identity = identityOf(mark.file)
      return identity?.device === mark.device && identity.inode === mark.inode
    },
    tidy: (named) => {
      const kept = new Set([held?.mark, ...named].map((mark) => mark?.file))
      for (const file of filesIn(resolve(folder)))
        if (file.endsWith(suffix) && !kept.has(file) && isFree(file)) rmSync(file, { force: true })
    },
    release: () => {
      if (!held) return
      held.db.close()
      rmSync(held.mark.file, { force: true })
      held = undefined
    },
  }
}

/** False while another process holds the lock, and where there is no file: none is made. */
const isFree = (file: string): boolean => {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return true
  } catch {
    return false
  } finally {
    if (db?.isOpen) db.close()
  }
}

const identityOf = (file: string): Pick<LockMark, 'device' | 'inode'> | undefined => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && { device: String(found.dev), inode: String(found.ino) }
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Linux alone has one. Elsewhere others wait until the deadline of a process that was killed. */
const bootIdHere = (): string | undefined => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
