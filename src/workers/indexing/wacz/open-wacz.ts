import { buffer } from 'node:stream/consumers'
import { isSystemError } from '@fonds/toolbox'
import { UnreadableArchive } from '@fonds/warc'
import type { Source } from '@fonds/warc/read'
import type yauzl from 'yauzl'
import { errorMessage } from '../../../async/errors.ts'
import { kindOf } from '../../../domain/indexing/kind.ts'
import { utf8Text } from '../../runtime/utf8.ts'
import { nextEntry, zipIn } from '../../zip/open-zip.ts'
import { findZip } from '../../zip/zip-place.ts'

/** A WARC or ARC file that lies in a WACZ as it is. */
export interface StoredArchive {
  /** Path in the WACZ: `archive/data.warc.gz`. */
  readonly path: string
  /** Offset of its first byte in the WACZ. */
  readonly from: number
  readonly size: number
  /** CRC-32 by the directory of the zip. */
  readonly crc: number
}

export interface Wacz {
  /** In the order of the directory. */
  readonly archives: readonly StoredArchive[]
  /** Paths below `archive/` that name no WARC or ARC file. */
  readonly others: readonly string[]
  readonly dataPackage?: Buffer
  readonly packageDigest?: Buffer
}

/** Bytes of a description that are read: one of 4,000 files fits. */
const maxDescription = 1024 * 1024

const descriptions = ['datapackage.json', 'datapackage-digest.json'] as const

/** Whether the bytes begin as a zip. */
export const beginsZip = (file: Source): boolean => {
  const begin = Buffer.alloc(4)
  return file.size > 4 && file.read(0, begin) === 4 && begin.toString('latin1') === 'PK\x03\x04'
}

/**
 * Reads the directory of a WACZ (1.1.1): its archive files are read where they lie. Undefined if the zip holds neither
 * `archive/` nor `datapackage.json`. Throws `UnreadableArchive`: if the zip is damaged, and if an archive file is
 * packed, so that no record of it can be reached. Blocks its thread.
 */
export const openWacz = async (file: Source): Promise<Wacz | undefined> => {
  const place = findZip(file)
  if (!place)
    throw new UnreadableArchive(
      'truncated',
      'it begins as a zip does, but the directory at the end of the zip is not there',
    )
  const zip = await orDamaged(zipIn(file, place, () => {}))
  try {
    const archives: StoredArchive[] = []
    const others: string[] = []
    const described: { [path in (typeof descriptions)[number]]?: Buffer | undefined } = {}
    for (let entry = await orDamaged(nextEntry(zip)); entry; entry = await orDamaged(nextEntry(zip))) {
      const path = nameOf(entry)
      const description = descriptions.find((one) => one === path)
      if (description) described[description] = await orDamaged(contentOf(zip, entry))
      if (!path.startsWith('archive/') || path.endsWith('/')) continue
      if (kindOf(path) === 'unknown' || /\.wacz$/i.test(path)) others.push(path)
      else archives.push(await storedArchive(zip, entry, path, place.from))
    }
    if (archives.length === 0 && others.length === 0 && !described['datapackage.json']) return undefined
    return {
      archives,
      others,
      ...(described['datapackage.json'] && { dataPackage: described['datapackage.json'] }),
      ...(described['datapackage-digest.json'] && { packageDigest: described['datapackage-digest.json'] }),
    }
  } finally {
    zip.close()
  }
}

/** Its type is wrong: names are not decoded. */
const nameOf = ({ fileName }: yauzl.Entry): string => {
  const bytes = fileName as unknown as Buffer
  return utf8Text(bytes) ?? bytes.toString('latin1')
}

const storedArchive = async (
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  path: string,
  zipFrom: number,
): Promise<StoredArchive> => {
  if (entry.isEncrypted())
    throw new UnreadableArchive('unreadable', `${path} in it is encrypted; pack it without a password`)
  if (entry.compressionMethod !== 0)
    throw new UnreadableArchive(
      'not-per-record',
      `${path} in it is compressed by the zip, so that no record can be reached; pack the WACZ again with the files of archive/ stored (zip -0), as its specification wants`,
    )
  const { fileDataStart } = await orDamaged(zip.readLocalFileHeaderPromise(entry, { minimal: true }))
  return { path, from: zipFrom + fileDataStart, size: entry.uncompressedSize, crc: entry.crc32 }
}

/** Undefined for a content that is larger than a description may be. */
const contentOf = async (zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer | undefined> => {
  if (entry.uncompressedSize > maxDescription || entry.isEncrypted()) return undefined
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  return buffer(stream)
}

const orDamaged = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof UnreadableArchive || isSystemError(error)) throw error
    throw new UnreadableArchive(
      'corrupt',
      `it begins as a zip does, and cannot be read as one: ${errorMessage(error)}`,
    )
  }
}
