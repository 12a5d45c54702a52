/** Returns the bytes of standard base64 with padding; undefined for any other text, bits behind the end included. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    const binary = atob(text)
    // The decoder takes texts with blanks, and without padding: there is one form.
    return btoa(binary) === text ? Uint8Array.from(binary, (byte) => byte.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** A call takes so many arguments for certain. */
const chunkBytes = 8192

export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunkBytes)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunkBytes))
  return btoa(binary)
}
