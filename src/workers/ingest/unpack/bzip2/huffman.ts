import type { BitReader } from './bit-reader.ts'
import { damaged } from './damaged.ts'

/** A table of Huffman codes. */
export interface Codes {
  /** Reads the next symbol. */
  read(bits: BitReader): number
}

const longest = 20

/** Reads the codes of so many symbols. */
export const readCodes = (bits: BitReader, symbols: number): Codes => {
  const lengths = readLengths(bits, symbols)
  const inOrder = [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]! || a - b)
  const sorted = Uint16Array.from(inOrder)
  const shortest = lengths[inOrder[0]!]!
  /**
   * By code length: the end of its codes, left-aligned to the longest length; and the offset from a code to its index
   * in `sorted`.
   */
  const limits = new Uint32Array(longest + 1)
  const offsets = new Int32Array(longest + 1)
  let code = 0
  let place = 0
  for (let length = shortest; length <= longest; length++) {
    offsets[length] = code - place
    while (place < symbols && lengths[sorted[place]!] === length) {
      place++
      code++
    }
    limits[length] = code << (longest - length)
    code <<= 1
  }
  return {
    read: (from) => {
      // The last symbol of a block is followed by 80 more bits.
      const seen = from.peek(longest)
      let length = shortest
      while (seen >= limits[length]!) if (++length > longest) throw damaged('there is no such code')
      from.skip(length)
      return sorted[(seen >>> (longest - length)) - offsets[length]!]!
    },
  }
}

/** Each length is coded as its difference from the one before. */
const readLengths = (bits: BitReader, symbols: number): Uint8Array => {
  const lengths = new Uint8Array(symbols)
  let length = bits.read(5)
  for (let i = 0; i < symbols; i++) {
    for (;;) {
      if (length < 1 || length > longest) throw damaged('a code has no length')
      if (bits.read(1) === 0) break
      length += bits.read(1) === 0 ? 1 : -1
    }
    lengths[i] = length
  }
  return lengths
}
