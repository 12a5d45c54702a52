import { zstdDecompressSync } from 'node:zlib'
import { UnreadableArchive } from '../read-failure.ts'
import type { ByteWindow } from './byte-window.ts'

/** Limit of IIPC's specification of Zstandard for WARC. */
export const maxDictionaryBytes = 8 * 1024 * 1024
/** Magic number of the dictionary's frame. */
export const dictionaryFrame = 0x184d2a5d
const dictionaryMagic = Buffer.from([0x37, 0xa4, 0x30, 0xec])
const headerLength = 8

export interface ZstdDictionary {
  readonly bytes: Buffer
  readonly id: number
}

/**
 * Reads a dictionary at the beginning of a file, and moves the window behind it. Throws `UnreadableArchive`.
 */
export const readDictionary = (file: ByteWindow): ZstdDictionary | undefined => {
  if (!file.has(4) || file.bytes.readUInt32LE(file.start) !== dictionaryFrame) return undefined
  if (!file.has(headerLength)) throw truncated()
  const length = file.bytes.readUInt32LE(file.start + 4)
  if (length > maxDictionaryBytes) throw tooLarge()
  file.advance(headerLength)
  const stored = Buffer.alloc(length)
  for (let filled = 0; filled < length; ) {
    if (!file.has(1)) throw truncated()
    const used = file.bytes.copy(stored, filled, file.start, Math.min(file.end, file.start + length - filled))
    file.advance(used)
    filled += used
  }
  const bytes = stored.subarray(0, 4).equals(dictionaryMagic) ? stored : unpacked(stored)
  if (bytes.length < headerLength || !bytes.subarray(0, 4).equals(dictionaryMagic)) throw damaged()
  return { bytes, id: bytes.readUInt32LE(4) }
}

const unpacked = (stored: Buffer): Buffer => {
  try {
    return zstdDecompressSync(stored, { maxOutputLength: maxDictionaryBytes })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
  }
}

const truncated = () => new UnreadableArchive('truncated', 'the file ends within its dictionary', 0)
const damaged = () =>
  new UnreadableArchive('corrupt', 'the dictionary that the file begins with is damaged', 0)
const tooLarge = () =>
  new UnreadableArchive(
    'unreadable',
    `the dictionary that the file begins with is larger than ${maxDictionaryBytes / 1024 ** 2} MiB, and is not read`,
    0,
  )
