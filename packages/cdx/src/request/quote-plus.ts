/** Percent-encodes a text or bytes as Python's `quote_plus` does: all but letters, digits and `_.-~`, a blank as `+`. */
export const quotePlus = (value: string | Uint8Array): string => {
  if (typeof value === 'string' && plain.test(value)) return value
  let text = ''
  for (const byte of typeof value === 'string' ? Buffer.from(value) : value) text += quoted[byte]
  return text
}

const plain = /^[\w.~-]*$/

const quoted: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte < 128 && plain.test(character)) return character
  return character === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})
