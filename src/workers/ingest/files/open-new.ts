import { openSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolderSync } from '../../../async/make-folder.ts'
import { isSystemError } from '../../../async/system-error.ts'

interface NewFile {
  readonly path: string
  readonly file: number
}

/** A file that nothing has the name of, and its folder where there is none. Blocks. */
export const openNew = (path: string): NewFile => {
  try {
    return { path, file: openSync(path, 'wx') }
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    makeFolderSync(dirname(path))
    return { path, file: openSync(path, 'wx') }
  }
}

/** Where something has the name, under the other: to be renamed once it is written. */
export const openNewOrBeside = (path: string, beside: string): NewFile => {
  try {
    return openNew(path)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
    return openNew(beside)
  }
}
