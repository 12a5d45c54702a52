import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure } from '../../../async/machine-failure.ts'
import { isSystemError } from '../../../async/system-error.ts'
import { UnreadableArchive } from './read-failure.ts'

/** Bytes that stand still while they are read. */
export interface Source {
  readonly size: number
  /** Fills the buffer from that byte on; gives how many there were, at least one before the end. */
  read(offset: number, buffer: Buffer): number
}

export interface SourceFile extends Source {
  /** When it was opened. */
  readonly modifiedAt: Date
  /** Whether the path still has the same file, as it was when it was opened. */
  hasChanged(): boolean
  close(): void
}

/** Throws `UnreadableArchive`. */
export const openSourceFile = (path: string): SourceFile => {
  const fd = orUnreadable(path, () => openSync(path, 'r'))
  const opened = fstatSync(fd)
  if (!opened.isFile()) {
    closeSync(fd)
    throw new UnreadableArchive('unreadable', `${path} is no file`)
  }
  return {
    size: opened.size,
    modifiedAt: opened.mtime,
    read: (offset, buffer) => orUnreadable(path, () => readSync(fd, buffer, 0, buffer.length, offset)),
    hasChanged: () => {
      const now = statSync(path, { throwIfNoEntry: false })
      return now === undefined || !isSame(now, opened) || !isSame(fstatSync(fd), opened)
    },
    close: () => closeSync(fd),
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs

const orUnreadable = <A>(path: string, work: () => A): A => {
  try {
    return work()
  } catch (error) {
    const machine = machineFailure(error)
    if (machine) throw machine
    if (isSystemError(error, 'ENOENT', 'ENOTDIR'))
      throw new UnreadableArchive('not-found', `there is no file ${path}`)
    if (isSystemError(error, 'EACCES', 'EPERM'))
      throw new UnreadableArchive(
        'unreadable',
        `${path} may not be read; give the user that runs Fonds the right to`,
      )
    throw new UnreadableArchive('unreadable', diskReason(error) ?? errorMessage(error))
  }
}
