import { ones } from '../bits.ts'

/** A bitmap in memory (`bits.ts` has its text form): as bytes, and as words for speed. */
export interface Bitmap {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly words: Uint32Array<ArrayBuffer>
}

/** Shared, and never written to. */
export const emptyBitmap: Bitmap = { bytes: new Uint8Array(0), words: new Uint32Array(0) }

/** An empty bitmap for at least so many bits. */
const bitmap = (size: number): Bitmap => {
  const words = new Uint32Array(Math.ceil(size / 32))
  return { words, bytes: new Uint8Array(words.buffer) }
}

export const bitmapOf = (bits: string): Bitmap => {
  const made = bitmap(bits.length * 6)
  Buffer.from(made.bytes.buffer).write(bits, 'base64')
  return made
}

export const setOf = (numbers: readonly number[]): Bitmap => {
  const made = bitmap(numbers.reduce((max, n) => Math.max(max, n), -1) + 1)
  for (const n of numbers) made.bytes[n >>> 3]! |= 1 << (n & 7)
  return made
}

export const has = ({ bytes }: Bitmap, n: number): boolean => (((bytes[n >>> 3] ?? 0) >>> (n & 7)) & 1) === 1

export const union = (some: readonly Bitmap[]): Bitmap => {
  const [first] = some
  if (some.length === 1 && first) return first
  const all = bitmap(some.reduce((max, { words }) => Math.max(max, words.length * 32), 0))
  for (const { words } of some) for (let i = 0; i < words.length; i++) all.words[i]! |= words[i]!
  return all
}

/** Number of bits that are set in both. */
export const countCommon = ({ words: one }: Bitmap, { words: other }: Bitmap): number => {
  const end = Math.min(one.length, other.length)
  let count = 0
  for (let i = 0; i < end; i++) count += ones(one[i]! & other[i]!)
  return count
}

/**
 * Counts in how many bitmaps each number below `size` is. Counts are in binary across planes, so that 32 numbers are
 * counted at once: tens of millions of pairs take milliseconds.
 */
export const tallyBitmaps = (size: number) => {
  const planes: Bitmap[] = []
  return {
    add: ({ words }: Bitmap): void => {
      const end = Math.min(words.length, Math.ceil(size / 32))
      for (let i = 0; i < end; i++)
        for (let plane = 0, carry = words[i]!; carry !== 0; plane++) {
          if (plane === planes.length) planes.push(bitmap(size))
          const digits = planes[plane]!.words
          const before = digits[i]!
          digits[i] = before ^ carry
          carry &= before
        }
    },
    countOf: (n: number): number =>
      planes.reduce((count, digits, plane) => count + (has(digits, n) ? 2 ** plane : 0), 0),
  }
}
