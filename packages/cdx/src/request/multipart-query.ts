import { quotePlus } from './quote-plus.ts'

/**
 * The parts of a body of `multipart/form-data` as parameters. Undefined if it has no boundary, or is not whole: cdxj-indexer ends
 * with an error there.
 */
export const multipartQuery = (mime: string, body: Uint8Array): string | undefined => {
  // As cdxj-indexer takes it: all that follows. A boundary with quotes is what pywb finds in the body.
  const boundary = mime.split('boundary=')[1]
  if (!boundary) return undefined
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const unquoted = /^"([^"]+)"/.exec(boundary)?.[1] ?? boundary.split(';')[0]?.trim() ?? ''
  const parts = partsOf(bytes, boundary) ?? (unquoted === '' ? undefined : partsOf(bytes, unquoted))
  return parts?.map(({ name, value }) => `${quotePlus(name)}=${quotePlus(value)}`).join('&')
}

interface Part {
  readonly name: string
  readonly value: Uint8Array | string
}

const partsOf = (bytes: Buffer, boundary: string): readonly Part[] | undefined => {
  const begin = Buffer.from(`--${boundary}`, 'latin1')
  const delimiter = Buffer.concat([Buffer.from('\r\n'), begin])
  const first = bytes.indexOf(begin)
  if (first < 0 || (first > 0 && bytes.toString('latin1', Math.max(0, first - 2), first) !== '\r\n'))
    return undefined
  const parts: Part[] = []
  let at = first + begin.length
  for (;;) {
    const behind = bytes.toString('latin1', at, at + 2)
    if (behind === '--') return parts
    const end = bytes.indexOf(delimiter, at)
    if (behind !== '\r\n' || end < 0 || parts.length >= maxParts) return undefined
    const part = partOf(bytes.subarray(at + 2, end))
    if (part === undefined) return undefined
    parts.push(part)
    at = end + delimiter.length
  }
}

const maxParts = 128

/** A part is its head, an empty line, and its value. */
const partOf = (bytes: Buffer): Part | undefined => {
  const isBare = bytes.indexOf('\r\n') === 0
  const headEnd = isBare ? 0 : bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const fields = new Map(
    bytes
      .toString('utf8', 0, headEnd)
      .replace(/\r\n[ \t]/g, ' ')
      .split('\r\n')
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )
  const disposition = fields.get('content-disposition')
  if (!disposition || !/^\s*form-data\s*(?:;|$)/i.test(disposition)) return undefined
  const value = bytes.subarray(headEnd + (isBare ? 2 : 4))
  const options = optionsIn(disposition)
  return {
    name: unquotedName(options.get('name') ?? ''),
    value: options.get('filename') ? value : decoded(value, fields.get('content-type') ?? ''),
  }
}

const option = /; *([\w-]+) *= *("[^\\"]*"|[\w!#$%&'*+.^`|~-]+|"(?:\\.|[^\\"])*")/g

const optionsIn = (field: string): ReadonlyMap<string, string> =>
  new Map([...field.matchAll(option)].map(([, name = '', value = '']) => [name.toLowerCase(), value]))

/** Browsers escape quotes and line ends in names as `%22`, `%0D` and `%0A`; older programs write a backslash. */
const unquotedName = (value: string): string => {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
  const text = isQuoted ? value.slice(1, -1) : value
  return text.includes('\\"')
    ? text.replaceAll('\\\\', '\\').replaceAll('\\"', '"')
    : text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"')
}

/** A field in another character set, as UTF-8 has it. */
const decoded = (value: Buffer, contentType: string): Uint8Array | string => {
  const charset = optionsIn(contentType).get('charset')?.replaceAll('"', '')
  if (charset === undefined || /^utf-?8$/i.test(charset)) return value
  try {
    return new TextDecoder(charset).decode(value)
  } catch {
    return value
  }
}
