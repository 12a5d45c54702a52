/** Reason of a failed request; continues the address. The cause of an error of `fetch` has the details. */
export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const text = cause instanceof Error ? cause.message : String(cause)
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  if (cause instanceof Error && cause.name === 'HTTPParserError')
    return `answered in what is not HTTP: ${text}; check the address`
  if (code.startsWith('Z_')) return `sent data that cannot be unpacked: ${text}; offer it unpacked`
  return reasons[code] ?? `cannot be reached: ${text || code}`
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'names a host that is not known; check the address',
  EAI_AGAIN: 'names a host that could not be looked up; check the network',
  ECONNREFUSED: 'is on a host that takes no connections there; check the address, or whether the server runs',
  ECONNRESET: 'broke off',
  UND_ERR_SOCKET: 'broke off',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broke off: other than its Content-Length said',
  UND_ERR_HEADERS_OVERFLOW: 'answered with headers that are too large; check the address',
  UND_ERR_CONNECT_TIMEOUT: 'is on a host that does not answer; check the address, or whether the server runs',
}
