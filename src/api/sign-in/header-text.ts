const strict = new TextDecoder('utf-8', { fatal: true })

/** Text of a header: proxies send UTF-8, and Node reads each byte as a character. Other bytes stay as they are. */
export const utf8Of = (value: string | readonly string[] | undefined): string | undefined => {
  if (typeof value !== 'string') return undefined
  try {
    return strict.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
