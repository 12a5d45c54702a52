import { createOutput, type Output, UnreadableBatch } from './output.ts'

/* LZ4 frames: magic, flags, block size, optional sizes and digests, blocks, an end mark. Digests are not compared: Kafka keeps one of its own. */

const magic = 0x184d2204
const flags = {
  version: 0xc0,
  blockChecksum: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
}
const version1 = 0x40
/** The highest bit of a block's size: it is stored as it is. */
const stored = 0x80000000
const minMatch = 4

/** Reads every frame. Throws `UnreadableBatch`. */
export const decompressLz4 = (input: Buffer, maxBytes: number): Buffer => {
  const output = createOutput(maxBytes)
  let at = 0
  do at = decompressFrame(input, at, output)
  while (at < input.length)
  return output.bytes()
}

/** Where the frame that begins there ends. */
const decompressFrame = (input: Buffer, from: number, output: Output): number => {
  if (input.length - from < 7 || input.readUInt32LE(from) !== magic)
    throw new UnreadableBatch('it does not begin as an LZ4 frame')
  const descriptor = input[from + 4]!
  if ((descriptor & flags.version) !== version1 || descriptor & flags.dictionary)
    throw new UnreadableBatch(`its LZ4 frame has flags that are not known (${descriptor})`)
  const checksumBytes = descriptor & flags.blockChecksum ? 4 : 0
  let at = from + (descriptor & flags.contentSize ? 15 : 7)
  for (;;) {
    if (at + 4 > input.length) throw new UnreadableBatch('its LZ4 frame ends early')
    const size = input.readUInt32LE(at)
    at += 4
    if (size === 0) return at + (descriptor & flags.contentChecksum ? 4 : 0)
    const bytes = size >= stored ? size - stored : size
    if (at + bytes > input.length) throw new UnreadableBatch('a block of its LZ4 frame ends early')
    if (size >= stored) output.copy(input, at, bytes)
    else decompressBlock(input.subarray(at, at + bytes), output)
    at += bytes + checksumBytes
  }
}

/** Sequences of literals and repeats; the last has literals alone. */
const decompressBlock = (block: Buffer, output: Output): void => {
  let at = 0
  const length = (short: number): number => {
    let sum = short
    if (short !== 15) return sum
    let byte: number
    do {
      if (at >= block.length) throw new UnreadableBatch('an LZ4 block ends early')
      byte = block[at++]!
      sum += byte
    } while (byte === 255)
    return sum
  }
  while (at < block.length) {
    const token = block[at++]!
    const literals = length(token >> 4)
    output.copy(block, at, literals)
    at += literals
    if (at >= block.length) return
    if (at + 2 > block.length) throw new UnreadableBatch('an LZ4 block ends early')
    const distance = block.readUInt16LE(at)
    at += 2
    output.repeat(distance, length(token & 15) + minMatch)
  }
}

/** The frame header of Kafka's own clients: independent blocks of 64 KiB, no sizes, no digests but the header's. */
const header = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])
const blockBytes = 64 * 1024
const end = Buffer.alloc(4)

export const compressLz4 = async (input: Buffer): Promise<Buffer> => {
  const { compressBlock, compressBound } = (await import('lz4js')).default
  const scratch = Buffer.allocUnsafe(compressBound(blockBytes))
  const matches = new Uint32Array(1 << 16)
  const parts: Buffer[] = [header]
  for (let at = 0; at < input.length; at += blockBytes) {
    const block = input.subarray(at, at + blockBytes)
    const size = compressBlock(block, scratch, 0, block.length, matches.fill(0))
    const isSmaller = size > 0 && size < block.length
    const prefix = Buffer.alloc(4)
    prefix.writeUInt32LE(isSmaller ? size : block.length + stored)
    parts.push(prefix, isSmaller ? Buffer.from(scratch.subarray(0, size)) : block)
  }
  return Buffer.concat([...parts, end])
}
