import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { isSystemError } from '@fonds/toolbox'
import type yauzl from 'yauzl'
import { errorMessage } from '../../../async/errors.ts'
import { nextEntry } from '../../zip/open-zip.ts'
import { UnusableContent } from '../files/write-file.ts'
import type { Bound } from './bound.ts'
import type { Entry } from './entry.ts'
import { zipName } from './zip-name.ts'
import { type BytesAround, openZip } from './zip-opened.ts'

/**
 * Reads files and folders of a zip, in the order of its directory. Returns the bytes of the file that are not the
 * zip's. Throws `UnusableContent`.
 */
export async function* readZip(file: string, bound: Bound): AsyncGenerator<Entry, BytesAround> {
  const { zip, around } = await orUnusable(openZip(file))
  let first = Number.MAX_SAFE_INTEGER
  try {
    for (;;) {
      const entry = await orUnusable(nextEntry(zip))
      if (!entry) return around(first)
      first = Math.min(first, entry.relativeOffsetOfLocalHeader)
      const path = nameOf(entry)
      if (path.endsWith('/')) yield { folder: path }
      else {
        refuse(entry, path)
        yield { path, bytes: bytesOf(zip, entry, path, bound) }
      }
    }
  } finally {
    zip.close()
  }
}

const utf8Flag = 1 << 11

const nameOf = ({ fileName, generalPurposeBitFlag, versionMadeBy, extraFields }: yauzl.Entry): string =>
  zipName({
    bytes: fileName as unknown as Buffer,
    isUtf8: (generalPurposeBitFlag & utf8Flag) !== 0,
    madeOn: versionMadeBy >>> 8,
    extraFields,
  })

const fileTypes = 0o170000
const regular = 0o100000
const symbolicLink = 0o120000

const refuse = (entry: yauzl.Entry, path: string): void => {
  const type = (entry.externalFileAttributes >>> 16) & fileTypes
  if (type === symbolicLink) throw new UnusableContent(`it holds a symbolic link: ${path}`)
  // Systems without such types write 0.
  if (type !== 0 && type !== regular && isUnix(entry))
    throw new UnusableContent(`it holds something that is no file: ${path}`)
  if (entry.isEncrypted()) throw new UnusableContent(`it is encrypted: ${path} cannot be read`)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw new UnusableContent(`${path} is packed by method ${entry.compressionMethod}; pack it by deflate`)
}

const isUnix = ({ versionMadeBy }: yauzl.Entry): boolean => versionMadeBy >>> 8 === 3

async function* bytesOf(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  path: string,
  bound: Bound,
): AsyncGenerator<Uint8Array> {
  const stream = await orUnusable(
    new Promise<Readable>((resolve, reject) =>
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
    ),
  )
  let sum = 0
  try {
    for await (const chunk of bound(stream)) {
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (sum !== entry.crc32) throw new Error(`${path} does not have the checksum that is written beside it`)
  } catch (error) {
    throw unusable(error)
  } finally {
    stream.destroy()
  }
}

const orUnusable = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    throw unusable(error)
  }
}

/** A disk that is unavailable says nothing about the container. */
const unusable = (error: unknown): unknown =>
  error instanceof UnusableContent || isSystemError(error)
    ? error
    : new UnusableContent(`it is no zip that can be read to its end: ${errorMessage(error)}`)
