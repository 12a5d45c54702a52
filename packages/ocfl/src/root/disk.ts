import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/*
 * Calls that block: they are made by threads that do nothing else, and cost a third of those that do not. What is written
 * is on disk before the next step rests on it.
 */

/** An error of the operating system; where codes are given, with one of them. */
export const isSystemError = (error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  'syscall' in error &&
  (codes.length === 0 || codes.includes(String(error.code)))

/** Returns once a file is on disk, or the names in a folder are. */
export const sync = (path: string): void => {
  const open = openSync(path, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** A folder, and those above it that are not there. Throws the cause where a file system is read-only: Node says ENOENT then. */
export const makeFolders = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw causeOf(folder, error)
  }
}

/** The call for one folder is answered with the cause. */
const causeOf = (folder: string, error: unknown): unknown => {
  if (!isSystemError(error, 'ENOENT')) return error
  const above = dirname(folder)
  if (above !== folder && !exists(above)) return causeOf(above, error)
  try {
    mkdirSync(folder)
  } catch (cause) {
    // Where another made it meanwhile, the next try goes well.
    if (!isSystemError(cause, 'EEXIST')) return cause
  }
  return error
}

/** As a whole or not at all. */
export const replaceSynced = (path: string, text: string): void => {
  const next = `${path}.next`
  writeFileSync(next, text, { flush: true })
  renameSync(next, path)
}

/** The same bytes under another name: linked where the file system can, else copied. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    // Another volume, or one without links.
    if (!isSystemError(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS', 'EOPNOTSUPP')) throw error
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}

/** New files and folders below a folder that is there, which are synced together: all of them first go on their way to the disk. */
export interface NewTree {
  write(path: string, text: string): void
  link(from: string, to: string): void
  /** Files, then folders from the innermost out. */
  sync(): Generator<void>
}

export const newTree = (below: string): NewTree => {
  const files: string[] = []
  const folders = new Set<string>()

  const make = (folder: string): void => {
    if (folder === below || folders.has(folder)) return
    make(dirname(folder))
    mkdirSync(folder)
    folders.add(folder)
  }

  return {
    write: (path, text) => {
      make(dirname(path))
      writeFileSync(path, text, { flag: 'wx' })
      files.push(path)
    },
    link: (from, to) => {
      make(dirname(to))
      linkOrCopy(from, to)
      files.push(to)
    },
    sync: function* () {
      for (const path of [...files, ...[...folders].reverse()]) {
        sync(path)
        yield
      }
    },
  }
}

export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Names in a folder; none where there is no folder. */
export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Undefined where there is no file. */
export const textIn = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
