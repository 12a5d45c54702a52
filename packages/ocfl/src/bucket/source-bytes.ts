import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { isSystemError } from '@fonds/toolbox'
import { InvalidVersion } from '../errors.ts'
import type { SourceFile } from '../types.ts'
import type { Bucket } from './bucket.ts'
import { partsOf } from './parts.ts'

/* Bytes of new files, from where they are. All throw `InvalidVersion` if they are not as the file's facts say. */

/** All bytes of a file that memory has room for. */
export const wholeBytes = async (source: SourceFile, bucket: Bucket): Promise<Uint8Array> => {
  const bytes = await allBytes(source, bucket).catch((error: unknown) => {
    throw asInvalid(source, error)
  })
  failUnlessSame(source, bytes.length, createHash('sha256').update(bytes).digest('hex'))
  return bytes
}

const allBytes = async (source: SourceFile, bucket: Bucket): Promise<Uint8Array> => {
  const { from, size } = source
  if (typeof from === 'string') return readAtMost(from, size + 1)
  if ('bytes' in from) return from.bytes
  for await (const part of partsOf(await storedBytes(source, from.key, bucket), size + 1)) return part
  return new Uint8Array()
}

/** The bytes of a file in parts; the failure comes at their end. */
export async function* bytesInParts(
  source: SourceFile,
  partBytes: number,
  bucket: Bucket,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let count = 0
  try {
    for await (const part of partsOf(await bytesOfSource(source, bucket), partBytes)) {
      hash.update(part)
      count += part.length
      if (count > source.size) break
      yield part
    }
  } catch (error) {
    throw asInvalid(source, error)
  }
  failUnlessSame(source, count, hash.digest('hex'))
}

const failUnlessSame = ({ path, size, sha256 }: SourceFile, count: number, found: string): void => {
  if (count !== size) throw new InvalidVersion(`the file of ${path} does not have ${size} bytes`)
  if (found !== sha256) throw new InvalidVersion(`the file of ${path} does not have the SHA-256 ${sha256}`)
}

const asInvalid = ({ path }: SourceFile, error: unknown): unknown => {
  if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return new InvalidVersion(`the file of ${path} is not there`)
  if (isSystemError(error, 'EISDIR')) return new InvalidVersion(`the file of ${path} is no file`)
  return error
}

const readAtMost = async (path: string, most: number): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const bytes = Buffer.allocUnsafe(most)
    let filled = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, filled, most - filled, filled)
      filled += bytesRead
      if (bytesRead === 0 || filled === most) return bytes.subarray(0, filled)
    }
  } finally {
    await file.close()
  }
}

const bytesOfSource = async (source: SourceFile, bucket: Bucket): Promise<AsyncIterable<Uint8Array>> => {
  const { from } = source
  if (typeof from === 'string') return createReadStream(from)
  return 'bytes' in from ? inOnePiece(from.bytes) : storedBytes(source, from.key, bucket)
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Staged bytes that are another version's by now are read, and put again. */
const storedBytes = async (
  { path }: SourceFile,
  key: string,
  bucket: Bucket,
): Promise<AsyncIterable<Uint8Array>> => {
  const found = await bucket.get(key)
  if (!found) throw new InvalidVersion(`the staged file of ${path} is not there any more`)
  return found.body
}
