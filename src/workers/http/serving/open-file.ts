import { constants, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isSystemError } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../../async/errors.ts'
import type { ByteRange } from './byte-range.ts'
import type { ServedFile } from './file-answer.ts'

/** An open file. Its opener must either read it or close it. */
export interface OpenFile extends ServedFile {
  /** Fills the buffer from `offset`, as far as the file goes; returns the number of bytes. */
  read(offset: number, buffer: Buffer): number
  /** Streams the range with back-pressure. The file is closed at its end, and when the stream is destroyed. */
  bytes(range: ByteRange): Readable
  close(): Promise<void>
}

/** Opens the file at an absolute path, or at a `file:` URL. Left: a sentence that says why it cannot be read. */
export const openFile = async (location: string): Promise<E.Either<string, OpenFile>> => {
  if (/^(https?|s3):/.test(location))
    return E.left(`${location} is on another server, and is not served from here: ask that server`)
  let handle: FileHandle | undefined
  try {
    const path = location.startsWith('file:') ? fileURLToPath(location) : location
    // Non-blocking: a pipe may have no writer.
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

/** Wraps a file that is already open. */
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
    // A response that ends early must not look complete.
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
