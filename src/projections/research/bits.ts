/*
 * A set of small numbers as the base64 text of a bitmap, least significant bit first. Its bytes come in threes, so that it
 * needs no padding. A bit is read and set in its character of the text: nothing is decoded.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Uint8Array(128)
for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i

/** The index of the bit in the text, from the left: a character holds six, the highest first. */
const place = (n: number): number => (n & ~7) + 7 - (n & 7)

const maskAt = (at: number): number => 32 >> (at % 6)

const valueAt = (bits: string, character: number): number =>
  character < bits.length ? (values[bits.charCodeAt(character)] as number) : 0

export const holdsBit = (bits: string, n: number): boolean => {
  const at = place(n)
  return (valueAt(bits, Math.floor(at / 6)) & maskAt(at)) !== 0
}

export const withBit = (bits: string, n: number): string => {
  const at = place(n)
  const character = Math.floor(at / 6)
  const padded = character < bits.length ? bits : bits.padEnd((Math.floor(character / 4) + 1) * 4, 'A')
  return replace(padded, character, valueAt(padded, character) | maskAt(at))
}

/** Without trailing zeros, so that equal sets are equal texts. */
export const withoutBit = (bits: string, n: number): string => {
  if (!holdsBit(bits, n)) return bits
  const at = place(n)
  const character = Math.floor(at / 6)
  return trimmed(replace(bits, character, valueAt(bits, character) & ~maskAt(at)))
}

const replace = (bits: string, character: number, value: number): string =>
  bits.slice(0, character) + alphabet[value] + bits.slice(character + 1)

const trimmed = (bits: string): string => {
  let end = bits.length
  while (end > 0 && bits.endsWith('AAAA', end)) end -= 4
  return bits.slice(0, end)
}

export const countBits = (bits: string): number => {
  let count = 0
  for (let i = 0; i < bits.length; i++) count += ones(values[bits.charCodeAt(i)] as number)
  return count
}

/** Number of set bits in a word of 32 bits. */
export const ones = (word: number): number => {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
