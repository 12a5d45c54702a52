import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { blockBytes } from './limits.ts'

/**
 * File of three 32-bit numbers, little-endian, for each block of a run: the offset in it at which the first
 * line begins (`none`: none does), the CRC-32 of the lines that begin in it, and that of their origins. So
 * damage affects the lines of its own block alone.
 */
export const sumsFile = (folder: string, name: string): string => join(folder, `${name}.sums`)

export const sumBytes = 12
const none = 0xffff_ffff

export interface BlockSum {
  /** Range of the run's bytes with the lines that begin in the block. */
  readonly start: number
  readonly end: number
  readonly lines: number
  readonly origins: number
}

/**
 * Reads the sums of a block from its entry and those behind it; undefined if no line begins in it. `entries`
 * begin with that of block `first`.
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

/** Computes the sums of a run as it is written or read, in order. */
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
    /** Begins a line. To be called before its bytes, at least for the first line of each block. */
    begin: (offset: number): void => {
      const block = Math.floor(offset / blockBytes)
      if (isOpen && block === blocks - 1) return
      close()
      while (blocks < block) push(none)
      push(offset - block * blockBytes)
      isOpen = true
    },
    /** Adds bytes of lines of the block that was begun last. */
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
