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

/** `head`: the status line and the fields, as Latin-1. */
export const readHttpHead = (head: string): HttpHead => {
  const fields = readFields(head, head.indexOf('\n') + 1)
  const { 'content-type': type, 'transfer-encoding': coding, location } = fields
  return {
    status: statusLine.exec(head)?.[1] ?? '-',
    mime: mimeToken(type),
    isChunked: coding !== undefined && /\bchunked\s*$/i.test(coding),
    location: location ? urlToken(location) : '-',
  }
}
