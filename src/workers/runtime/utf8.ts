const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the text of these bytes, with its byte order mark; undefined if they are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
