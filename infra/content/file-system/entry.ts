import type { BigIntStats } from 'node:fs'
import type { ContentEntry } from '../../../src/ports/content-store.ts'

/**
 * Inode, size, modification and change time. Two writes of one size within one tick of the file system's clock
 * (4 ms on many Linux kernels) look the same.
 */
export const versionOf = (stats: BigIntStats): string =>
  `${stats.ino}-${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}`

export const entryOf = (path: string, stats: BigIntStats): ContentEntry => ({
  path,
  size: Number(stats.size),
  version: versionOf(stats),
  // `stats.mtime` is made on demand, with three other dates, and takes longer than to ask the file system.
  modifiedAt: new Date(Number(stats.mtimeMs)).toISOString(),
  claims: [],
})

/** Why it is not content; undefined for a regular file. */
export const whyNotContent = (stats: BigIntStats): string | undefined => {
  if (stats.isFile()) return undefined
  if (stats.isSymbolicLink()) return 'is a symbolic link'
  if (stats.isDirectory()) return 'is a folder, not content'
  if (stats.isFIFO()) return 'is a named pipe (fifo), not a regular file'
  if (stats.isSocket()) return 'is a socket, not a regular file'
  return 'is a device, not a regular file'
}
