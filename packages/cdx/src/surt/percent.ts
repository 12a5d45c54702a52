/* Texts of bytes: each character is a byte of the URL's UTF-8, so that invalid bytes are kept, too. */

const ascii = /^[\0-\x7f]*$/

/** A lone surrogate becomes the bytes of U+FFFD. */
export const bytesOf = (text: string): string =>
  ascii.test(text) ? text : Buffer.from(text).toString('latin1')

/** Decodes UTF-8; other bytes are dropped. */
export const textOf = (bytes: string): string =>
  ascii.test(bytes) ? bytes : bytes.split('\xef\xbf\xbd').map(validIn).join('\uFFFD')

/** Drops the U+FFFD that the decoder puts for invalid bytes. */
const validIn = (bytes: string): string => Buffer.from(bytes, 'latin1').toString().replaceAll('\uFFFD', '')

/** Decodes `%41`, and the result again, until no escape is left: `%2541` is `A`. */
export const unescaped = (bytes: string): string => {
  if (!bytes.includes('%')) return bytes
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    out[length++] = bytes.charCodeAt(i)
    // The byte may end an escape whose own bytes were escaped.
    for (let byte = escapeBefore(out, length); byte >= 0; byte = escapeBefore(out, length)) {
      length -= 3
      out[length++] = byte
    }
  }
  return out.toString('latin1', 0, length)
}

/** The byte of the escape that ends at `end`; -1 if none does. */
const escapeBefore = (bytes: Buffer, end: number): number => {
  if (end < 3 || bytes[end - 3] !== percent) return -1
  const high = hexDigit(bytes[end - 2]!)
  const low = hexDigit(bytes[end - 1]!)
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

const percent = 0x25

const hexDigit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Escapes blanks, control characters, `#`, `%` and bytes that are not ASCII, as `%c3`. */
export const escaped = (bytes: string): string =>
  isPlain.test(bytes) ? bytes : bytes.replace(toEscape, escapeOf)

const isPlain = /^[!"$&-~]*$/
const toEscape = /[^\x21-\x7e]|[#%]/g
const escapes = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, '0')}`)
const escapeOf = (byte: string): string => escapes[byte.charCodeAt(0)] ?? ''
