import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'

/** A sentence where the files of an open database were deleted, replaced or cut; undefined while they are intact. */
export type SameFiles = () => string | undefined

/**
 * SQLite goes on writing to files that were deleted or replaced, and what it commits there is lost when the process
 * ends. So after each commit the files at these paths are compared with those that were opened: that takes some 5 µs.
 */
export const createSameFiles = (file: string): SameFiles => {
  // The write-ahead log holds the newest commits.
  const files = [file, `${file}-wal`]
  const known = new Map<string, Stats>()
  let size = 0

  const changed = (path: string): string | undefined => {
    const now = statSync(path, { throwIfNoEntry: false })
    const before = known.get(path)
    if (!before) {
      if (now) known.set(path, now)
      if (now && path === file) size = now.size
      return undefined
    }
    if (!now) return 'was deleted'
    if (now.ino !== before.ino || now.dev !== before.dev) return 'was replaced by another file'
    if (path !== file) return undefined
    // VACUUM makes it smaller, and its header says so.
    if (now.size < size && now.size < wantedSize(file)) return 'was cut'
    size = now.size
    return undefined
  }

  return () => {
    for (const path of files) {
      const what = changed(path)
      if (what !== undefined)
        return (
          `${path} ${what} while Fonds runs: nothing is written. Stop Fonds, put the file back or a backup in its place ` +
          '(without -wal and -shm), and start it again'
        )
    }
    return undefined
  }
}

/** The size in bytes that the database's header gives. */
const wantedSize = (file: string): number => {
  const header = Buffer.alloc(100)
  const open = openSync(file, 'r')
  try {
    if (readSync(open, header, 0, 100, 0) < 100) return Number.POSITIVE_INFINITY
  } finally {
    closeSync(open)
  }
  const pageSize = header.readUInt16BE(16)
  return header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize)
}
