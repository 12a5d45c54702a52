const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of these bytes, a byte order mark included; undefined where they are no UTF-8: nobody knows what they spell. */
export const utf8Text = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
