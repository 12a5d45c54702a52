/** Status line and headers of an answer of HTTP/1.1. */
export interface ResponseHead {
  readonly status: number
  /** Names in lower case; values of equal names are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The server takes another request over the same connection. */
  readonly isKept: boolean
  /** Bytes up to the body. */
  readonly length: number
}

const endOfHead = '\r\n\r\n'
const maxHead = 64 * 1024

/**
 * Reads the head that some bytes begin with; interim answers (1xx) before it are passed over. Undefined: more bytes are
 * needed. Throws an `Error` with the code `InvalidAnswer` for what is no answer.
 */
export const headIn = (bytes: Buffer, from = 0): ResponseHead | undefined => {
  const end = bytes.indexOf(endOfHead, from, 'latin1')
  if (end < 0) {
    if (bytes.length - from > maxHead) throw invalid(`the head of the answer is longer than ${maxHead} bytes`)
    return undefined
  }
  const text = bytes.toString('latin1', from, end)
  const endOfFirst = text.indexOf('\r\n')
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/.exec(text) ?? []
  const status = Number(code)
  if (!(status >= 100)) throw invalid('the answer is not one of HTTP/1.1')
  const length = end + endOfHead.length
  if (status < 200) return headIn(bytes, length)
  const headers = endOfFirst < 0 ? {} : headersIn(text, endOfFirst + 2)
  return { status, headers, isKept: minor === '1' && !/\bclose\b/i.test(headers.connection ?? ''), length }
}

/** The headers from `at` on, one a line. */
const headersIn = (text: string, at: number): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let from = at; from < text.length; ) {
    const lineEnd = text.indexOf('\r\n', from)
    const end = lineEnd < 0 ? text.length : lineEnd
    const colon = text.indexOf(':', from)
    if (colon <= from || colon > end) throw invalid('the answer has a header without a name')
    const name = inLowerCase(text.slice(from, colon))
    const value = text.slice(colon + 1, end).trim()
    headers[name] = name in headers ? `${headers[name]},${value}` : value
    from = end + 2
  }
  return headers
}

const lowerCase = new Map<string, string>()

/** A server writes the same names again and again. */
const inLowerCase = (name: string): string => {
  const known = lowerCase.get(name)
  if (known !== undefined) return known
  const lower = name.toLowerCase()
  if (lowerCase.size < 200) lowerCase.set(name, lower)
  return lower
}

/** An answer that makes no sense. */
export const invalid = (message: string): Error =>
  Object.assign(new Error(message), { code: 'InvalidAnswer' })

/** The content of a body in chunks (RFC 9112, §7.1); undefined where it is not whole. */
export const unchunked = (body: Buffer): Buffer | undefined => {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at, 'latin1')
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(chunks)
    const from = lineEnd + 2
    if (!(size > 0) || from + size > body.length) return undefined
    chunks.push(body.subarray(from, from + size))
    at = from + size + 2
  }
}
