import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { ContentRootError } from '../content-root-error.ts'
import { refused, unreadable } from '../failed.ts'
import { checkPath } from '../path.ts'
import { blockingCalls, type FileCalls } from './calls.ts'
import { reasonOf } from './failure.ts'

/** The folder that a store is, as it was when the store was opened. */
export interface Root {
  /** Absolute, without symbolic links. */
  readonly path: string
  /** Device and inode: another folder has this path once a disk is unmounted. */
  readonly identity: string
  readonly calls: FileCalls
}

export const createRoot = (path: string, calls: FileCalls): Root => {
  try {
    const real = realpathSync.native(path)
    const stats = statSync(real, { bigint: true })
    if (!stats.isDirectory())
      throw new ContentRootError(`content store ${path}: is a file; give the folder that holds the content`)
    return { path: real, identity: identityOf(stats), calls }
  } catch (error) {
    if (!isSystemError(error)) throw error
    const advice =
      error.code === 'ENOENT' ? 'there is no such folder; create it, or mount the disk' : reasonOf(error)
    throw new ContentRootError(`content store ${path}: ${advice}`, { cause: error })
  }
}

/** Why the root is no longer the folder that was opened; undefined while it is. To be asked before a file is called missing. */
export const rootFailure = async (root: Root): Promise<string | undefined> => {
  try {
    const now = identityOf(await stat(root.path, { bigint: true }))
    if (now === root.identity) return undefined
    return `another folder is now at the store's root ${root.path}; mount the right disk, or start again if this is it`
  } catch (error) {
    if (!isSystemError(error)) throw error
    return `the store's root ${root.path} ${reasonOf(error)}; is its disk mounted?`
  }
}

/** Begins the name of a file that is being written; it takes its real name once it is whole. */
export const temporaryPrefix = '.fonds-write-'

/** Where a path leads once every symbolic link is followed. Throws `Refused` where that is outside the root. */
export const locate = async (root: Root, path: string): Promise<string> => {
  checkPath(path)
  return inside(root, path, await root.calls.realpath(join(root.path, path)))
}

/** The same at once: the thread is blocked. */
export const locateAtOnce = (root: Root, path: string): string => {
  checkPath(path)
  return inside(root, path, blockingCalls.realpath(joined(root, path)))
}

const inside = (root: Root, path: string, real: string): string => {
  if (!isBelow(root, real)) throw refused(path, "leads out of the store's root by a symbolic link")
  return real
}

/** A checked path has no segment that joining would change. */
const joined = ({ path: root }: Root, path: string): string =>
  root === sep ? `${sep}${path}` : `${root}${sep}${path}`

/** Whether what was located stands behind a symbolic link. */
export const isLink = (root: Root, path: string, real: string): boolean => real !== joined(root, path)

/** Like `locate`, but follows no link in the last segment. */
export const locatePlace = async (root: Root, path: string): Promise<string> => {
  checkPath(path)
  const folder = dirname(path)
  return join(folder === '.' ? root.path : await locate(root, folder), basename(path))
}

/** A missing file below a root that itself went away is not a missing file. */
export const checkRoot = async (root: Root, path: string): Promise<void> => {
  const reason = await rootFailure(root)
  if (reason) throw unreadable(path, reason)
}

const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}`

const isBelow = (root: Root, real: string): boolean => root.path === sep || real.startsWith(root.path + sep)
