const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns a record's value as text; in base64 if its bytes are not UTF-8. */
export const textOrBytes = (
  value: string | Uint8Array,
): { readonly value: string; readonly encoding: 'text' | 'base64' } => {
  if (typeof value === 'string') return { value, encoding: 'text' }
  try {
    return { value: utf8.decode(value), encoding: 'text' }
  } catch {
    return { value: Buffer.from(value).toString('base64'), encoding: 'base64' }
  }
}
