/* The checksums of FLAC and Ogg: polynomials over GF(2), the highest bit first, that begin with 0. */

const table = (polynomial: number, width: 8 | 16 | 32): Uint32Array =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = (byte << (width - 8)) >>> 0
    for (let bit = 0; bit < 8; bit++)
      sum = (sum & (2 ** (width - 1)) ? (sum << 1) ^ polynomial : sum << 1) >>> 0
    return width === 32 ? sum : sum & (2 ** width - 1)
  })

const table8 = table(0x07, 8)
const table16 = table(0x8005, 16)
const table32 = table(0x04c1_1db7, 32)

export const crc8 = (bytes: Uint8Array, from: number, to: number): number => {
  let sum = 0
  for (let i = from; i < to; i++) sum = table8[sum ^ bytes[i]!]!
  return sum
}

/** Continues `sum` with these bytes. */
export const crc16 = (sum: number, bytes: Uint8Array, from: number, to: number): number => {
  let next = sum
  for (let i = from; i < to; i++) next = ((next << 8) & 0xffff) ^ table16[(next >> 8) ^ bytes[i]!]!
  return next
}

export const crc32 = (bytes: Uint8Array): number => {
  let sum = 0
  for (let i = 0; i < bytes.length; i++) sum = (sum << 8) ^ table32[(sum >>> 24) ^ bytes[i]!]!
  return sum >>> 0
}

/**
 * A number for each offset of a stream, by the checksum of all bytes before it. Two offsets have the same one if the
 * bytes between them end with their own checksum, and hardly otherwise: no pair of offsets has to be summed up anew.
 */
export const keyAt = (sum: number, offset: number): number => product(sum, inversePowers()[offset % period]!)

/** The order of x in the ring of polynomials modulo that of `crc16`: x ** period is 1. */
const period = 32_767

/** x ** (-8 * i). */
const inversePowers = (() => {
  let powers: Uint16Array | undefined
  return (): Uint16Array => {
    if (powers) return powers
    powers = new Uint16Array(period)
    let power = 1
    for (let i = 0; i < period; i++) {
      powers[i] = power
      for (let bit = 0; bit < 8; bit++) power = power & 1 ? ((power ^ 0x1_8005) >> 1) & 0xffff : power >> 1
    }
    return powers
  }
})()

const product = (a: number, b: number): number => {
  let sum = 0
  let shifted = a
  for (let rest = b; rest > 0; rest >>= 1) {
    if (rest & 1) sum ^= shifted
    shifted = shifted & 0x8000 ? ((shifted << 1) ^ 0x8005) & 0xffff : shifted << 1
  }
  return sum
}
