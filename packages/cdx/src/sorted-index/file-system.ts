import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Tells errors of the operating system; with codes, those with one of them. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

/** Returns once a file is on disk, or the names in a folder are. Blocks. */
export const sync = (path: string): void => {
  const open = openSync(path, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/**
 * Makes a folder, and those above it that are not there; gives the topmost that was made. Throws what the disk says no to: where it is
 * mounted read-only, Node itself says that there is no such folder.
 */
export const makeFolder = (folder: string): string | undefined => {
  try {
    return mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw causeOf(folder, error)
  }
}

/** The call for one folder is answered with the cause. */
const causeOf = (folder: string, error: unknown): unknown => {
  if (!isSystemError(error, 'ENOENT')) return error
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) return causeOf(above, error)
  try {
    mkdirSync(folder)
  } catch (cause) {
    // Where another made it meanwhile, the next try goes well.
    if (!isSystemError(cause, 'EEXIST')) return cause
  }
  return error
}
