/** Returns the bytes of standard base64 with padding; undefined for any other text, bits behind the end included. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
