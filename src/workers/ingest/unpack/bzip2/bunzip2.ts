import { createBitReader } from './bit-reader.ts'
import { type Block, unpackBlock } from './block.ts'
import { damaged } from './damaged.ts'

/** Bytes yielded at once: a block can hold 46 MB of one run. */
export const pieceBytes = 64 * 1024

const blockMark = '314159265359'
const endMark = '177245385090'

/**
 * Decompresses one or several concatenated bzip2 streams. Blocks its thread. Decompresses lazily, a block at a time;
 * memory does not grow with the content. `next` returns chunk after chunk; undefined at the end. Throws if the data is
 * damaged or incomplete.
 */
export function* bunzip2(next: () => Uint8Array | undefined): Generator<Uint8Array> {
  const bits = createBitReader(next)
  const read32 = () => ((bits.read(16) << 16) | bits.read(16)) >>> 0
  const readMark = () => Array.from({ length: 6 }, () => bits.read(8).toString(16).padStart(2, '0')).join('')
  let table = new Uint32Array()
  do {
    const length =
      100_000 * readLevel(String.fromCharCode(bits.read(8), bits.read(8), bits.read(8), bits.read(8)))
    if (table.length !== length) table = new Uint32Array(length)
    let streamSum = 0
    for (let mark = readMark(); mark !== endMark; mark = readMark()) {
      if (mark !== blockMark) throw damaged('no block begins where one should')
      const expected = read32()
      const sum = yield* unpackedBytes(table, unpackBlock(bits, table))
      if (sum !== expected) throw damaged('a block does not have its checksum')
      streamSum = (((streamSum << 1) | (streamSum >>> 31)) ^ sum) >>> 0
    }
    if (read32() !== streamSum) throw damaged('it does not have its checksum')
    bits.align()
  } while (!bits.isAtEnd())
}

/** Returns the block size, in hundreds of thousands of bytes. */
const readLevel = (head: string): number => {
  if (!/^BZh[1-9]$/.test(head)) throw new Error('it is no bzip2, or has something else behind it')
  return Number(head[3])
}

/** Decodes runs: four equal bytes are followed by the number of further ones. Returns the checksum. */
function* unpackedBytes(table: Uint32Array, { length, start }: Block): Generator<Uint8Array, number> {
  let piece = Buffer.allocUnsafeSlow(pieceBytes)
  let filled = 0
  let sum = 0xffffffff
  let before = -1
  let alike = 0
  let entry = table[start]!
  for (let i = 0; i < length; i++) {
    entry = table[entry >>> 8]!
    const byte = entry & 255
    let times = 1
    if (alike === 4) {
      times = byte
      alike = 0
    } else if (byte === before) alike++
    else {
      before = byte
      alike = 1
    }
    for (; times > 0; times--) {
      sum = (sum << 8) ^ sums[(sum >>> 24) ^ before]!
      piece[filled++] = before
      if (filled < pieceBytes) continue
      yield piece
      piece = Buffer.allocUnsafeSlow(pieceBytes)
      filled = 0
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
  return ~sum >>> 0
}

/** CRC-32, most significant bit first. */
const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum < 0 ? 0x04c11db7 : 0)
  return sum
})
