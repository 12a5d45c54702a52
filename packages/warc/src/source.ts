import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { UnreadableArchive } from './read-failure.ts'

/** Bytes that do not change while they are read. */
export interface Source {
  readonly size: number
  /** Fills the buffer from an offset on. Returns the number of bytes, at least one before the end. */
  read(offset: number, buffer: Buffer): number
}

export interface SourceFile extends Source {
  /** The modification time when it was opened. */
  readonly modifiedAt: Date
  /** Returns true unless the path still has the same file, as it was when it was opened. */
  hasChanged(): boolean
  close(): void
}

/** Makes the error to throw from a path and the error of `open` or `read`. */
export type ToError = (error: unknown, path: string) => Error

/** Opens a file. Throws `UnreadableArchive`, and the error that `toError` makes if the system refuses it. */
export const openSourceFile = (path: string, toError: ToError = inItsWords): SourceFile => {
  const orUnreadable = <A>(work: () => A): A => {
    try {
      return work()
    } catch (error) {
      throw isMissing(error)
        ? new UnreadableArchive('not-found', `there is no file ${path}`)
        : toError(error, path)
    }
  }
  const fd = orUnreadable(() => openSync(path, 'r'))
  const opened = fstatSync(fd)
  if (!opened.isFile()) {
    closeSync(fd)
    throw new UnreadableArchive('unreadable', `${path} is no file`)
  }
  return {
    size: opened.size,
    modifiedAt: opened.mtime,
    read: (offset, buffer) => orUnreadable(() => readSync(fd, buffer, 0, buffer.length, offset)),
    hasChanged: () => {
      const now = statSync(path, { throwIfNoEntry: false })
      return now === undefined || !isSame(now, opened) || !isSame(fstatSync(fd), opened)
    },
    close: () => closeSync(fd),
  }
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException | undefined)?.code))

const inItsWords: ToError = (error) =>
  new UnreadableArchive('unreadable', error instanceof Error ? error.message : String(error))
