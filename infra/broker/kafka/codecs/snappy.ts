import { createOutput, type Output, UnreadableBatch } from './output.ts'

/* Kafka's Java clients put Snappy blocks into the framing of snappy-java; others send one bare block. */

const framing = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00])
/** The framing's own version and the oldest that can read it. */
const header = Buffer.concat([framing, Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])])

/** Throws `UnreadableBatch`. */
export const decompressSnappy = (input: Buffer, maxBytes: number): Buffer => {
  const output = createOutput(maxBytes)
  if (!input.subarray(0, framing.length).equals(framing)) {
    decompressBlock(input, output)
    return output.bytes()
  }
  let at = header.length
  while (at < input.length) {
    const bytes = at + 4 > input.length ? undefined : input.readUInt32BE(at)
    at += 4
    if (bytes === undefined || at + bytes > input.length)
      throw new UnreadableBatch('its Snappy frame ends early')
    decompressBlock(input.subarray(at, at + bytes), output)
    at += bytes
  }
  return output.bytes()
}

/** Number of bytes that follow the tag of a copy, by its kind. */
const repeatBytes = [0, 1, 2, 4] as const

/** A length, then literals and copies, each with a tag: its lowest two bits are the kind. */
const decompressBlock = (block: Buffer, output: Output): void => {
  let { at, value: left } = lengthOf(block)
  const number = (bytes: number): number => {
    if (at + bytes > block.length) throw new UnreadableBatch('a Snappy block ends early')
    const found = block.readUIntLE(at, bytes)
    at += bytes
    return found
  }
  while (at < block.length) {
    const tag = block[at++]!
    const kind = tag & 3
    const short = tag >> 2
    if (kind === 0) {
      const count = (short < 60 ? short : number(short - 59)) + 1
      output.copy(block, at, count)
      at += count
      left -= count
    } else {
      const count = kind === 1 ? (short & 7) + 4 : short + 1
      const low = number(repeatBytes[kind as 1 | 2 | 3])
      output.repeat(kind === 1 ? low + ((tag >> 5) << 8) : low, count)
      left -= count
    }
  }
  if (left !== 0) throw new UnreadableBatch('a Snappy block has another length than it says')
}

/** Reads the declared length, seven bits per byte; nothing is allocated for it. */
const lengthOf = (block: Buffer): { readonly at: number; readonly value: number } => {
  let value = 0
  for (let at = 0; at < Math.min(5, block.length); at++) {
    value += (block[at]! & 0x7f) * 2 ** (7 * at)
    if (block[at]! < 0x80) return { at: at + 1, value }
  }
  throw new UnreadableBatch('a Snappy block does not say its length')
}

const blockBytes = 32 * 1024

/** Compresses in the framing of snappy-java, which every client reads. */
export const compressSnappy = async (input: Buffer): Promise<Buffer> => {
  const { compress } = (await import('snappyjs')).default
  const parts: Buffer[] = [header]
  for (let at = 0; at < input.length; at += blockBytes) {
    const block = compress(input.subarray(at, at + blockBytes))
    const prefix = Buffer.alloc(4)
    prefix.writeUInt32BE(block.length)
    parts.push(prefix, block)
  }
  return Buffer.concat(parts)
}
