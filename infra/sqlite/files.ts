import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file is not usable: the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** Also makes its parents, one by one: Node's `recursive` never ends below a parent that takes no folders (`/proc`). */
export const createFolder = (folder: string): void => {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw new DatabaseError(`${folder} cannot be made: ${(error as Error).message}`)
  }
}

/** Made here, the file gets the permissions of the umask, and `-wal` and `-shm` the same. SQLite would ignore the umask. */
export const createFile = (file: string): void => {
  if (file === '' || file === ':memory:' || existsSync(file)) return
  try {
    closeSync(openSync(file, 'a'))
  } catch {
    // SQLite then fails to open it, and says why.
  }
}

/** Value of `PRAGMA cache_size` for so many bytes of pages: negative KiB. SQLite allocates them when it first needs them. */
export const cacheSize = (bytes: number): number => -Math.max(1, Math.floor(bytes / 1024))
