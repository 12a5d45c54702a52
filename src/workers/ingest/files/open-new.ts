import { openSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolderSync } from '@fonds/toolbox/disk'

interface NewFile {
  readonly path: string
  readonly file: number
}

/** Creates a file that must not exist, and its folder if that is missing. Blocks. */
export const openNew = (path: string): NewFile => {
  try {
    return { path, file: openSync(path, 'wx') }
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    makeFolderSync(dirname(path))
    return { path, file: openSync(path, 'wx') }
  }
}

/** Creates `path`, or `beside` if that exists: to be renamed once it is written. */
export const openNewOrBeside = (path: string, beside: string): NewFile => {
  try {
    return openNew(path)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
    return openNew(beside)
  }
}
