import type { BitReader } from './bit-reader.ts'
import { damaged } from './damaged.ts'
import { type Codes, readCodes } from './huffman.ts'

/** A decoded block: the Burrows–Wheeler transform of run-length coded bytes. */
export interface Block {
  /** Number of those bytes. */
  readonly length: number
  /** Index of the first of them. */
  readonly start: number
}

/** Number of symbols coded by one table. */
const groupLength = 50
const runA = 0
const runB = 1

/**
 * Reads a block after its mark and its checksum, and fills `table`, which `bunzip2` decodes. A block has at most
 * `table.length` bytes.
 */
export const unpackBlock = (bits: BitReader, table: Uint32Array): Block => {
  if (bits.read(1) === 1) throw damaged('it was packed by bzip2 0.9, which is no longer read; pack it again')
  const start = bits.read(24)
  const used = usedBytes(bits)
  const tables = bits.read(3)
  if (tables < 2 || tables > 6) throw damaged('a block has no codes')
  const selectors = readSelectors(bits, tables)
  const codes = Array.from({ length: tables }, () => readCodes(bits, used.length + 2))
  const counts = new Uint32Array(256)
  const length = readSymbols(bits, used, codes, selectors, table, counts)
  if (start >= length) throw damaged('a block begins outside of itself')
  invert(table, length, counts)
  return { length, start }
}

/** Returns the byte values used in the block, sorted. */
const usedBytes = (bits: BitReader): Uint8Array => {
  const used: number[] = []
  const ranges = bits.read(16)
  for (let high = 0; high < 16; high++) {
    if ((ranges & (0x8000 >>> high)) === 0) continue
    const values = bits.read(16)
    for (let low = 0; low < 16; low++) if (values & (0x8000 >>> low)) used.push(high * 16 + low)
  }
  if (used.length === 0) throw damaged('a block is empty')
  return Uint8Array.from(used)
}

/** Returns the code table of each group of symbols. */
const readSelectors = (bits: BitReader, tables: number): Uint8Array => {
  const selectors = new Uint8Array(bits.read(15))
  const order = Uint8Array.from({ length: tables }, (_, i) => i)
  for (let i = 0; i < selectors.length; i++) {
    let place = 0
    while (bits.read(1) === 1) if (++place === tables) throw damaged('a block names codes that it has not')
    selectors[i] = moveToFront(order, place)
  }
  return selectors
}

const moveToFront = (order: Uint8Array, place: number): number => {
  const value = order[place]!
  for (let i = place; i > 0; i--) order[i] = order[i - 1]!
  order[0] = value
  return value
}

/** Writes the bytes to `table`, and counts each value; returns their number. */
const readSymbols = (
  bits: BitReader,
  used: Uint8Array,
  codes: readonly Codes[],
  selectors: Uint8Array,
  table: Uint32Array,
  counts: Uint32Array,
): number => {
  const order = used.slice()
  const end = used.length + 1
  let length = 0
  let run = 0
  let weight = 1
  const repeat = () => {
    const byte = order[0]!
    table.fill(byte, length, length + run)
    counts[byte]! += run
    length += run
    run = 0
    weight = 1
  }
  for (const selector of selectors) {
    const group = codes[selector]!
    for (let i = 0; i < groupLength; i++) {
      const symbol = group.read(bits)
      if (symbol === runA || symbol === runB) {
        run += symbol === runA ? weight : 2 * weight
        weight *= 2
        if (run > table.length - length) throw damaged('a block is longer than it may be')
        continue
      }
      if (run > 0) repeat()
      if (symbol === end) return length
      if (length === table.length) throw damaged('a block is longer than it may be')
      const byte = moveToFront(order, symbol - 1)
      table[length++] = byte
      counts[byte]!++
    }
  }
  throw damaged('a block has no end')
}

/** Adds to each byte the index of the one that follows it: `byte | place << 8`. */
const invert = (table: Uint32Array, length: number, counts: Uint32Array): void => {
  const places = new Uint32Array(256)
  for (let byte = 1; byte < 256; byte++) places[byte] = places[byte - 1]! + counts[byte - 1]!
  for (let i = 0; i < length; i++) table[places[table[i]! & 255]!++]! |= i << 8
}
