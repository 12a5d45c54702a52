import { fieldReader } from './head.ts'
import { mimeToken, urlToken } from './tokens.ts'

/** What an index wants of the head of an HTTP response. */
export interface HttpHead {
  readonly status: string
  readonly mime: string
  readonly isChunked: boolean
  /** As the response has it, one token; '-' where it has none. */
  readonly location: string
}

/** Of a body whose head cannot be read. */
export const noHead: HttpHead = { status: '-', mime: '-', isChunked: false, location: '-' }

const readFields = fieldReader(['content-type', 'transfer-encoding', 'location'])

/** The text of a reason may be missing: `HTTP/1.0 302 `. */
const statusLine = /^HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)/i

/** The status line and the fields, between two places. */
export const readHttpHead = (bytes: Buffer, from: number, to: number): HttpHead => {
  const fieldsAt = bytes.indexOf('\n', from) + 1
  const [type, coding, location] = readFields(bytes, fieldsAt, to)
  return {
    status:
      statusLine.exec(bytes.toString('latin1', from, Math.min(fieldsAt, from + maxStatusLine)))?.[1] ?? '-',
    mime: mimeToken(type),
    isChunked: coding !== undefined && /\bchunked$/i.test(coding),
    location: location ? urlToken(location) : '-',
  }
}

/** Of the status line, what is looked at. */
const maxStatusLine = 64
