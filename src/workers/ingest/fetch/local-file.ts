import { constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DownloadFailure } from '@fonds/download'
import { isBeneath } from '../../../async/is-beneath.ts'
import { whyUnreadable } from '../../runtime/unreadable-file.ts'
import { type FileCalls, yieldingCalls } from './file-calls.ts'

export const isLocal = (url: string): boolean => /^file:/i.test(url)

interface LocalFile extends AsyncDisposable {
  /** Bytes. */
  readonly size: number
  /** Reads bytes from offset `at`; returns their number, 0 at the end. */
  read(into: Uint8Array, at: number): number | Promise<number>
  /** Throws `DownloadFailure` if the file was written to. */
  failIfChanged(): Promise<void>
}

/** Does not wait for the writer of a pipe; follows no link that was created since the path was resolved. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** Opens a regular file beneath one of the folders, if there are any, links followed. Throws `DownloadFailure`. */
export const openLocal = async (
  url: string,
  folders: readonly string[] | undefined,
  calls: FileCalls = yieldingCalls,
): Promise<LocalFile> => {
  try {
    const path = await pathOf(url, folders, calls)
    const file = await calls.open(path, flags)
    try {
      const found = await calls.stat(file)
      if (!found.isFile()) throw failure(url, 'is not a file; name the file itself')
      if (folders) await failUnlessAllowed(url, await placeOf(file, path, calls), folders, calls)
      const { size, mtimeMs } = found
      return {
        size,
        read: (into, at) => calls.read(file, into, at),
        failIfChanged: async () => {
          const now = await calls.stat(file)
          if (now.size !== size || now.mtimeMs !== mtimeMs)
            throw failure(url, 'changed while it was read; try again when nobody writes to it')
        },
        [Symbol.asyncDispose]: async () => calls.close(file),
      }
    } catch (error) {
      await calls.close(file)
      throw error
    }
  } catch (error) {
    throw asFailure(url, error)
  }
}

/** Resolves a `file:` URL to a path, links followed. Throws `DownloadFailure` if that may not be read. */
export const localPath = async (url: string, folders: readonly string[] | undefined): Promise<string> => {
  try {
    return await pathOf(url, folders, yieldingCalls)
  } catch (error) {
    throw asFailure(url, error)
  }
}

const pathOf = async (
  url: string,
  folders: readonly string[] | undefined,
  calls: FileCalls,
): Promise<string> => {
  const path = await calls.realpath(fileURLToPath(url))
  await failUnlessAllowed(url, path, folders, calls)
  return path
}

/**
 * Returns the path of the opened file: a folder above it may have become a link meanwhile. Resolves its name if there
 * is no /proc.
 */
const placeOf = async (file: number, path: string, calls: FileCalls): Promise<string> => {
  try {
    return await calls.readlink(`/proc/self/fd/${file}`)
  } catch {
    return calls.realpath(path)
  }
}

/** `path` without links. */
const failUnlessAllowed = async (
  url: string,
  path: string,
  folders: readonly string[] | undefined,
  calls: FileCalls,
): Promise<void> => {
  if (folders === undefined) return
  for (const folder of folders) {
    const real = await realOrNone(folder, calls)
    if (real !== undefined && isBeneath(path, [real])) return
  }
  throw failure(url, 'is not in a folder that may be read; move it there, or allow its folder')
}

const realOrNone = async (folder: string, { realpath }: FileCalls): Promise<string | undefined> => {
  try {
    return await realpath(folder)
  } catch {
    return undefined
  }
}

const failure = (url: string, why: string, cause?: unknown): DownloadFailure =>
  new DownloadFailure(`${url} ${why}`, cause === undefined ? {} : { cause })

const asFailure = (url: string, error: unknown): Error =>
  error instanceof DownloadFailure ? error : failure(url, whyUnreadable(error), error)
