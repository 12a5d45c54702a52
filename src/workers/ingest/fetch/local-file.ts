import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../../async/errors.ts'
import { DownloadFailure } from '../../http/http-failures.ts'

export const isLocal = (url: string): boolean => /^file:/i.test(url)

interface LocalFile extends AsyncDisposable {
  /** Bytes. */
  readonly size: number
  /** From the first byte. Each chunk is to be used before the next is asked for. */
  bytes(): AsyncIterable<Uint8Array>
  /** Throws `DownloadFailure` once somebody has written to it. */
  failIfChanged(): Promise<void>
}

/** Does not wait for the writer of a pipe; follows no link that was put there since the path was resolved. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** A regular file beneath one of the folders, if there are any, links followed. Throws `DownloadFailure`. */
export const openLocal = async (url: string, folders: readonly string[] | undefined): Promise<LocalFile> => {
  try {
    const path = await pathOf(url, folders)
    const handle = await open(path, flags)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw failure(url, 'is not a file; name the file itself')
      await failUnlessAllowed(url, await placeOf(handle, path), folders)
      const { size, mtimeMs } = found
      return {
        size,
        bytes: () => chunksOf(handle),
        failIfChanged: async () => {
          const now = await handle.stat()
          if (now.size !== size || now.mtimeMs !== mtimeMs)
            throw failure(url, 'changed while it was read; try again when nobody writes to it')
        },
        [Symbol.asyncDispose]: () => handle.close(),
      }
    } catch (error) {
      await handle.close()
      throw error
    }
  } catch (error) {
    throw asFailure(url, error)
  }
}

const chunkBytes = 256 * 1024

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
    if (bytesRead === 0) return
    yield chunk.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** Where a file address leads to, links followed. Throws `DownloadFailure` where that may not be read. */
export const localPath = async (url: string, folders: readonly string[] | undefined): Promise<string> => {
  try {
    return await pathOf(url, folders)
  } catch (error) {
    throw asFailure(url, error)
  }
}

const pathOf = async (url: string, folders: readonly string[] | undefined): Promise<string> => {
  const path = await realpath(fileURLToPath(url))
  await failUnlessAllowed(url, path, folders)
  return path
}

/** The path of what was opened: a folder above it may have become a link meanwhile. By its name where there is no /proc. */
const placeOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path))

/** `path` without links. */
const failUnlessAllowed = async (
  url: string,
  path: string,
  folders: readonly string[] | undefined,
): Promise<void> => {
  if (folders === undefined) return
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined)
    if (real !== undefined && `${path}${sep}`.startsWith(real.endsWith(sep) ? real : real + sep)) return
  }
  throw failure(url, 'is not in a folder that may be read; move it there, or allow its folder')
}

const failure = (url: string, why: string, cause?: unknown): DownloadFailure =>
  new DownloadFailure(`${url} ${why}`, cause === undefined ? {} : { cause })

const asFailure = (url: string, error: unknown): Error => {
  if (error instanceof DownloadFailure) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return failure(url, reasons[code] ?? `cannot be read: ${errorMessage(error)}`, error)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there; check the path, and whether its disk is mounted',
  ENOTDIR: 'is not there; check the path',
  EISDIR: 'is a folder; name the file itself',
  EACCES: 'may not be read by this user; give it the right to',
  EPERM: 'may not be read by this user; give it the right to',
  ERR_INVALID_FILE_URL_HOST: 'is on another host; mount it, and name its path here',
  ERR_INVALID_FILE_URL_PATH: 'is no path; check the address',
}
