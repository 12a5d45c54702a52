import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { TakeRoom } from '../take-room.ts'
import { takeOver } from './abandoned-part.ts'
import { bytesPath, type PartPlace, type Representation, removePart, writeDescription } from './part-files.ts'

/**
 * A partial download: `<key>.<own id>.part`, with the server's description beside it. It belongs to one
 * process, which touches it while it lives. Another takes it over by renaming its description, which only one
 * can do.
 */
export interface Part {
  readonly path: string
  readonly handle: FileHandle
  readonly size: number
  /** Length and validators from the response that began it. */
  readonly representation: Representation
  /** Empties it for a response from the first byte on. */
  begin(representation: Representation): Promise<void>
  write(chunk: Uint8Array): Promise<void>
  /** SHA-256 of its bytes, in lower-case hex. Nothing can be written afterwards. */
  hash(): string
  /** Leaves it for the next process to resume. */
  leave(): Promise<void>
  discard(): Promise<void>
}

/**
 * Resumes a part that another process left, or begins one. A copy takes room: if `takeRoom` rejects, its
 * error is thrown and the part is left as it was.
 */
export const openPart = async (place: PartPlace, takeRoom: TakeRoom = () => undefined): Promise<Part> => {
  const { folder, key, uri, staleMillis } = place
  const name = join(folder, `${key}.${randomUUID()}`)
  const path = bytesPath(name)
  const left = await takeOver(place, name)
  // A copy would take its room a second time, on a disk that may have none.
  if (left?.isClosed) await move(left.path, path).catch(() => {})
  const handle = await open(path, 'a+')
  const stopTouching = keepTouched(path, staleMillis)
  const bytes = digested(handle)
  let representation: Representation = left?.representation ?? {}

  const close = async () => {
    stopTouching()
    await handle.close()
  }
  try {
    if (left?.isClosed) for await (const chunk of createReadStream(path)) bytes.adopt(chunk)
    else if (left) await copy(left.path, bytes, takeRoom)
  } catch (error) {
    if (left && !isSystemError(error)) {
      await close()
      await rm(path, { force: true })
      await left.putBack()
      throw error
    }
    await bytes.empty()
    representation = {}
  }
  if (left) await rm(left.path, { force: true })

  return {
    path,
    handle,
    get size() {
      return bytes.size
    },
    get representation() {
      return representation
    },
    begin: async (by) => {
      await bytes.empty()
      representation = by
      await writeDescription(name, { uri, ...by })
    },
    write: bytes.write,
    hash: bytes.hash,
    leave: async () => {
      await close()
      if (bytes.size === 0) await removePart(name)
      else await utimes(path, 0, 0)
    },
    discard: async () => {
      await close()
      await removePart(name)
    },
  }
}

/** Touches a part before other processes see it, else it would seem abandoned. */
const move = async (from: string, to: string): Promise<void> => {
  await utimes(from, new Date(), new Date())
  await rename(from, to)
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && 'syscall' in error

/** Copies the bytes: a process that was suspended, not ended, may still write to the file. */
const copy = async (from: string, to: Pick<DigestedFile, 'write'>, takeRoom: TakeRoom): Promise<void> => {
  let left = (await stat(from)).size
  for await (const chunk of createReadStream(from)) {
    const room = takeRoom(chunk.length, left)
    if (room) await room
    await to.write(chunk)
    left -= chunk.length
  }
}

const maxTouchMillis = 30_000

/**
 * Touches the part regularly to show that its process lives, which may wait long for the server. Returns a
 * function that ends this.
 */
const keepTouched = (path: string, staleMillis: number): (() => void) => {
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => {})
  const timer = setInterval(touch, Math.min(staleMillis / 4, maxTouchMillis)).unref()
  return () => clearInterval(timer)
}

interface DigestedFile {
  readonly size: number
  write(chunk: Uint8Array): Promise<void>
  /** Adds bytes that are in the file already. */
  adopt(chunk: Uint8Array): void
  empty(): Promise<void>
  hash(): string
}

/** A file that is appended to, with the digest of its bytes. */
const digested = (file: FileHandle): DigestedFile => {
  let size = 0
  let digest = createHash('sha256')
  const adopt = (chunk: Uint8Array): void => {
    digest.update(chunk)
    size += chunk.length
  }
  return {
    get size() {
      return size
    },
    write: async (chunk) => {
      await file.writeFile(chunk)
      adopt(chunk)
    },
    adopt,
    empty: async () => {
      await file.truncate(0)
      size = 0
      digest = createHash('sha256')
    },
    hash: () => digest.digest('hex'),
  }
}
