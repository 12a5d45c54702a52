import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { blockBytes } from './limits.ts'

/**
 * Of each block of a run three numbers of 32 bits, little-endian: where in it the first line begins (`none`: none does), the CRC-32 of the
 * lines that begin in it, and that of their origins. So damage costs the lines of its own block.
 */
export const sumsFile = (folder: string, name: string): string => join(folder, `${name}.sums`)

export const sumBytes = 12
const none = 0xffff_ffff

export interface BlockSum {
  /** The bytes of the run that hold the lines which begin in the block. */
  readonly start: number
  readonly end: number
  readonly lines: number
  readonly origins: number
}

/**
 * What is known of a block, from its entry and those behind it; undefined where no line begins in it. `entries` begin with that of `first`.
 */
export const blockSum = (
  entries: Buffer,
  block: number,
  bytes: number,
  first = block,
): BlockSum | undefined => {
  const at = (block - first) * sumBytes
  const start = entries.readUInt32LE(at)
  if (start === none) return undefined
  let end = bytes
  for (let next = at + sumBytes, i = block + 1; next + sumBytes <= entries.length; next += sumBytes, i++) {
    const begin = entries.readUInt32LE(next)
    if (begin === none) continue
    end = i * blockBytes + begin
    break
  }
  return {
    start: block * blockBytes + start,
    end,
    lines: entries.readUInt32LE(at + 4),
    origins: entries.readUInt32LE(at + 8),
  }
}

/** Sums of a run as it is written or read, in order. */
export const createSums = () => {
  let entries = Buffer.alloc(64 * sumBytes)
  let blocks = 0
  let lines = 0
  let origins = 0
  let isOpen = false
  const word = Buffer.alloc(4)

  const push = (start: number) => {
    if ((blocks + 1) * sumBytes > entries.length) entries = Buffer.concat([entries], entries.length * 2)
    entries.writeUInt32LE(start, blocks * sumBytes)
    blocks++
  }
  const close = () => {
    if (isOpen) {
      entries.writeUInt32LE(lines, blocks * sumBytes - 8)
      entries.writeUInt32LE(origins, blocks * sumBytes - 4)
    }
    isOpen = false
    lines = 0
    origins = 0
  }
  return {
    /** A line begins there: to be called before its bytes, at least for the first of each block. */
    begin: (offset: number): void => {
      const block = Math.floor(offset / blockBytes)
      if (isOpen && block === blocks - 1) return
      close()
      while (blocks < block) push(none)
      push(offset - block * blockBytes)
      isOpen = true
    },
    /** Bytes of lines of the block that was begun last. */
    add: (bytes: Uint8Array): void => {
      lines = crc32(bytes, lines)
    },
    origin: (value: number): void => {
      word.writeUInt32LE(value)
      origins = crc32(word, origins)
    },
    /** Finishes the sums of a run of `bytes` bytes. */
    end: (bytes: number): Buffer => {
      close()
      while (blocks < Math.ceil(bytes / blockBytes)) push(none)
      return entries.subarray(0, blocks * sumBytes)
    },
  }
}
