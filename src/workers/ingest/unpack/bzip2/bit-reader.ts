/** Reads bits, the most significant of each byte first. */
export interface BitReader {
  /** At most 24 bits. Throws if the input ends before. */
  read(bits: number): number
  /** At most 24 bits, which are not consumed. */
  peek(bits: number): number
  /** Skips bits that were peeked at. */
  skip(bits: number): void
  /** Skips the rest of a partly read byte. */
  align(): void
  /** True if no byte is left. */
  isAtEnd(): boolean
}

/** `next` returns chunk after chunk; undefined at the end. */
export const createBitReader = (next: () => Uint8Array | undefined): BitReader => {
  let chunk = new Uint8Array()
  let at = 0
  /** Bits taken out of the chunk: the lowest `count` of it. */
  let held = 0
  let count = 0

  const hasByte = (): boolean => {
    while (at === chunk.length) {
      const more = next()
      if (!more) return false
      chunk = more as Uint8Array<ArrayBuffer>
      at = 0
    }
    return true
  }
  const peek = (bits: number): number => {
    while (count < bits) {
      if (at === chunk.length && !hasByte()) throw new Error('its bzip2 data ends too early')
      held = (held << 8) | chunk[at++]!
      count += 8
    }
    return (held >>> (count - bits)) & ((1 << bits) - 1)
  }
  return {
    peek,
    skip: (bits) => {
      count -= bits
    },
    read: (bits) => {
      const value = peek(bits)
      count -= bits
      return value
    },
    align: () => {
      count -= count % 8
    },
    isAtEnd: () => count === 0 && !hasByte(),
  }
}
