import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file is not usable: the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** With those above it. Step by step: Node's own recursive way never ends where a parent takes no folders (`/proc`). */
export const createFolder = (folder: string): void => {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw new DatabaseError(`${folder} cannot be made: ${(error as Error).message}`)
  }
}

/** SQLite would let its user alone write the file, whatever the process's umask says; `-wal` and `-shm` follow it. */
export const createFile = (file: string): void => {
  if (file === '' || file === ':memory:' || existsSync(file)) return
  try {
    closeSync(openSync(file, 'a'))
  } catch {
    // SQLite then says why it cannot be opened.
  }
}
