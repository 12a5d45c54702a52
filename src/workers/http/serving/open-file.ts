import { constants, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import * as E from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../../async/errors.ts'
import { isSystemError } from '../../../async/system-error.ts'
import type { ByteRange } from './byte-range.ts'
import type { ServedFile } from './file-answer.ts'

/** Whoever opens a file either reads it or closes it. */
export interface OpenFile extends ServedFile {
  /** Fills the buffer from there on, as far as the file goes; returns how many bytes. */
  read(offset: number, buffer: Buffer): number
  /** Read as fast as they are taken; the file is closed at their end, and where nobody takes them any more. */
  bytes(range: ByteRange): Readable
  close(): Promise<void>
}

/** Opens the file at an absolute path, or at an address `file:`. Left: why it cannot be read, a sentence. */
export const openFile = async (location: string): Promise<E.Either<string, OpenFile>> => {
  if (/^https?:/.test(location))
    return E.left(`${location} is on another server, and is not served from here: ask that server`)
  let handle: FileHandle | undefined
  try {
    const path = location.startsWith('file:') ? fileURLToPath(location) : location
    // Without waiting: nobody may be at the other end of a pipe.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return E.right(servedFrom(handle, stats))
    await handle.close()
    return E.left(`${location} is no file`)
  } catch (error) {
    await handle?.close()
    return E.left(reasonOf(location, error))
  }
}

const reasonOf = (location: string, error: unknown): string => {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR'))
    return `${location} is not there; is its file system mounted?`
  if (isSystemError(error, 'EACCES', 'EPERM'))
    return `${location} may not be read; give the user that runs Fonds the right to`
  return `${location} cannot be read: ${errorMessage(error)}`
}

interface Stats {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly mtime: Date
}

/** A file that is open already. */
export const servedFrom = (handle: FileHandle, { size, mtimeNs, mtime }: Stats): OpenFile => ({
  size: Number(size),
  modifiedAt: mtime,
  tag: `"${size.toString(16)}-${mtimeNs.toString(16)}"`,
  read: (offset, buffer) => readSync(handle.fd, buffer, 0, buffer.length, offset),
  bytes: (range) => bytesOf(handle, range),
  close: () => handle.close(),
})

const chunkBytes = 256 * 1024

const bytesOf = (handle: FileHandle, { from, to }: ByteRange): Readable => {
  let at = from
  const next = async (): Promise<Buffer | null> => {
    if (at > to) return null
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, to + 1 - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    // An answer that ends early must not look whole.
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    at += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      next().then(
        (bytes) => this.push(bytes),
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      handle.close().then(() => done(error), done)
    },
  })
}
