/* Bitmaps as bytes, for questions that look at all of them; see `bits.ts` for their text. */

export type Bitmap = Uint8Array

export const bitmapOf = (bits: string): Bitmap => Buffer.from(bits, 'base64')

export const emptyBitmap = (size: number): Bitmap => new Uint8Array((size + 7) >>> 3)

export const has = (bitmap: Bitmap, n: number): boolean => (((bitmap[n >>> 3] ?? 0) >>> (n & 7)) & 1) === 1

export const setOf = (numbers: readonly number[]): Bitmap => {
  const bitmap = emptyBitmap(numbers.reduce((most, n) => Math.max(most, n), -1) + 1)
  for (const n of numbers) bitmap[n >>> 3] = (bitmap[n >>> 3] ?? 0) | (1 << (n & 7))
  return bitmap
}

export const union = ([first = new Uint8Array(), ...others]: readonly Bitmap[]): Bitmap => {
  if (others.length === 0) return first
  const all = new Uint8Array(others.reduce((most, { length }) => Math.max(most, length), first.length))
  for (const one of [first, ...others])
    for (let i = 0; i < one.length; i++) all[i] = (all[i] as number) | (one[i] as number)
  return all
}

const onesOf = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

/** How many are in both. */
export const countCommon = (one: Bitmap, other: Bitmap): number => {
  const end = Math.min(one.length, other.length)
  let count = 0
  for (let i = 0; i < end; i++) count += onesOf[(one[i] as number) & (other[i] as number)] as number
  return count
}

/**
 * In how many bitmaps each number is. The counts stand in binary across planes, so that eight numbers are counted at once:
 * tens of millions of pairs take milliseconds.
 */
export const tallyBitmaps = (size: number) => {
  const planes: Bitmap[] = []
  return {
    add: (bitmap: Bitmap): void => {
      const end = Math.min(bitmap.length, (size + 7) >>> 3)
      for (let i = 0; i < end; i++)
        for (let plane = 0, carry = bitmap[i] as number; carry !== 0; plane++) {
          if (plane === planes.length) planes.push(emptyBitmap(size))
          const digits = planes[plane] as Bitmap
          const before = digits[i] as number
          digits[i] = before ^ carry
          carry &= before
        }
    },
    countOf: (n: number): number =>
      planes.reduce((count, digits, plane) => count + (has(digits, n) ? 2 ** plane : 0), 0),
  }
}
