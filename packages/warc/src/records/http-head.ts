import type { ByteWindow } from '../bytes/byte-window.ts'
import { type Head, headParser, headReader } from './head.ts'

/** The head of an HTTP response. Texts are those of the file, one character per byte (Latin-1). */
export interface HttpHead {
  /** Bytes of the head. */
  readonly length: number
  /** Three digits. */
  readonly status: string | undefined
  readonly contentType: string | undefined
  /** True if the last of its transfer codings is chunked. */
  readonly isChunked: boolean
  readonly location: string | undefined
}

/** Stands for a block that has no HTTP head. */
export const noHttpHead: HttpHead = {
  length: 0,
  status: undefined,
  contentType: undefined,
  isChunked: false,
  location: undefined,
}

const names = ['content-type', 'transfer-encoding', 'location']
const readHead = headReader(names)
const parseHead = headParser(names)

/** `HTTP`, as a number. */
const signature = 0x48545450

/**
 * Version and reason phrase may be missing, or be odd: `HTTP/1.0 302 `, `ICY 200 OK`. Blanks and empty lines
 * may stand before it.
 */
const statusLine = /^\s*[A-Z]+(?:\/[\d.]*)?[ \t]+(\d{3})(?!\d)/i

const usualStatusLine = /^HTTP\/\d\.\d (\d{3})(?!\d)/

/** Bytes before an odd status line, as media servers and faulty programs send it. */
const beforeStatusLine =
  /^(?:\xef\xbb\xbf)?[ \t\r\n]{0,16}(?=(?:HTTP(?:\/[\d.]*)?|ICY|SOURCETABLE|[A-Z]+\/[\d.]+)[ \t]+\d{3}(?!\d))/i

/** Bytes of a block that show whether it begins with an odd status line. */
const beginBytes = 64

/**
 * Reads the head of a response at the start of the window, whose block has `blockLength` bytes. A block
 * without an empty line is all head. A head that is too long or invalid is a part of the payload.
 */
export const readHttpHead = (window: ByteWindow, blockLength: number): HttpHead => {
  const limit = Math.min(blockLength, window.bytes.length)
  if (limit < 4 || !window.has(4)) return noHttpHead
  return window.bytes.readUInt32BE(window.start) === signature
    ? headOf(readHead(window, limit) ?? wholeBlock(window, blockLength), blockLength, 0)
    : readOddHead(window, limit, blockLength)
}

/** Reads a head that does not begin with `HTTP`. */
const readOddHead = (window: ByteWindow, limit: number, blockLength: number): HttpHead => {
  const textTo = (length: number): string => {
    window.has(Math.min(limit, length))
    return window.latin1(window.start, window.start + Math.min(window.available, limit, length))
  }
  const before = beforeStatusLine.exec(textTo(beginBytes))?.[0].length
  if (before === undefined) return noHttpHead
  const text = textTo(limit)
  const head = parseHead(text.slice(before))
  return head.length >= 0 || text.length === blockLength
    ? headOf(head, blockLength - before, before)
    : noHttpHead
}

const wholeBlock = (window: ByteWindow, length: number): Head | undefined =>
  window.has(length) ? parseHead(window.latin1(window.start, window.start + length)) : undefined

/** A line of blanks, which ends the head of a block without an empty line. */
const blankLine = /\n[ \t]+\r*\n/

const headOf = (head: Head | undefined, blockLength: number, before: number): HttpHead => {
  if (!head) return noHttpHead
  const [type, coding, location] = head.fields
  return {
    length: before + (head.length < 0 ? endOf(head.text, blockLength) : head.length),
    status: statusOf(head.text),
    contentType: type,
    isChunked: coding !== undefined && /\bchunked$/i.test(coding),
    location,
  }
}

/** The usual form is read in half the time. */
const statusOf = (text: string): string | undefined =>
  (usualStatusLine.exec(text) ?? statusLine.exec(text))?.[1]

const endOf = (text: string, blockLength: number): number => {
  const blank = blankLine.exec(text)
  return blank ? blank.index + blank[0].length : blockLength
}
