import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemError } from './system-error.ts'

/*
 * Creates a folder and its missing parents. Throws the disk's error: if it is mounted read-only, Node itself reports a
 * missing folder.
 */

/** Returns the topmost created folder; undefined if all existed. */
export const makeFolder = async (folder: string, mode?: number): Promise<string | undefined> => {
  try {
    return await mkdir(folder, { recursive: true, ...(mode !== undefined && { mode }) })
  } catch (error) {
    throw causeOf(folder, error)
  }
}

/** As `makeFolder`. */
export const makeFolderSync = (folder: string): string | undefined => {
  try {
    return mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw causeOf(folder, error)
  }
}

/** Finds the cause by creating one folder. */
const causeOf = (folder: string, error: unknown): unknown => {
  if (!isSystemError(error, 'ENOENT')) return error
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) return causeOf(above, error)
  try {
    mkdirSync(folder)
  } catch (cause) {
    // If another process made it meanwhile, the next attempt succeeds.
    if (!isSystemError(cause, 'EEXIST')) return cause
  }
  return error
}
