import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns true for errors of the operating system; if codes are given, for those with one of them. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

/** Syncs a file, or the names in a folder, to disk. Blocks. */
export const sync = (path: string): void => {
  const open = openSync(path, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/**
 * Makes a folder and its missing parents. Returns the topmost one that was made. Throws the cause that the
 * disk gives: on a read-only mount, Node itself reports that there is no such folder.
 */
export const makeFolder = (folder: string): string | undefined => {
  try {
    return mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw causeOf(folder, error)
  }
}

/** Finds the cause by a call for a single folder, which reports it. */
const causeOf = (folder: string, error: unknown): unknown => {
  if (!isSystemError(error, 'ENOENT')) return error
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) return causeOf(above, error)
  try {
    mkdirSync(folder)
  } catch (cause) {
    // If another process made it meanwhile, the next try succeeds.
    if (!isSystemError(cause, 'EEXIST')) return cause
  }
  return error
}
