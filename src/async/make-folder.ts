import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemError } from './system-error.ts'

/*
 * A folder, and those above it that are not there. What the disk says no to is thrown: where it is mounted read-only, Node itself
 * says that there is no such folder.
 */

/** The topmost that was made; undefined where all were there. */
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
