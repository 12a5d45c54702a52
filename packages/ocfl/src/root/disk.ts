import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isSystemError } from '@fonds/toolbox'

/*
 * Calls that block: they are for threads that do nothing else, and cost a third of calls that do not block.
 * Written data are on disk before the next step depends on them.
 */

/** Replaces a file atomically. */
export const replaceSynced = (path: string, text: string): void => {
  const next = `${path}.next`
  writeFileSync(next, text, { flush: true })
  renameSync(next, path)
}

/** Gives the bytes another name: a link if the file system can, else a copy. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    // Another volume, or one without links.
    if (!isSystemError(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS', 'EOPNOTSUPP')) throw error
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}

/**
 * New files and folders below an existing folder, which are synced together: all are written before the first
 * is synced.
 */
export interface NewTree {
  write(path: string, text: string): void
  link(from: string, to: string): void
  /** All that is to be synced: files, then folders from the innermost out. */
  made(): readonly string[]
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
    made: () => [...files, ...[...folders].reverse()],
  }
}

export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Names in a folder; none if the folder is missing. */
export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Returns undefined if the file is missing. */
export const textIn = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
