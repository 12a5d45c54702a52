/* Bytes without Node's Buffer: the forms are read in browsers, too. */

export const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const encoder = new TextEncoder()

export const utf8Bytes = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** Two digits a byte, in lower case. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(digits.match(/../g) ?? [], (two) => Number.parseInt(two, 16))

/** Eight bytes, the highest first. */
export const uint64 = (value: bigint): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
