import type { ByteWindow } from '../bytes/byte-window.ts'
import { headParser, headReader } from './head.ts'

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

/** The reason phrase may be missing: `HTTP/1.0 302 `. */
const statusLine = /^HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)/

/**
 * Reads the head of a response at the start of the window, whose block has `blockLength` bytes. A block
 * without an empty line is all head. A head that is too long or invalid is a part of the payload.
 */
export const readHttpHead = (window: ByteWindow, blockLength: number): HttpHead => {
  const limit = Math.min(blockLength, window.bytes.length)
  if (limit < 4 || !window.has(4) || window.bytes.readUInt32BE(window.start) !== signature) return noHttpHead
  const head = readHead(window, limit) ?? (window.has(blockLength) ? wholeBlock(window, limit) : undefined)
  if (!head) return noHttpHead
  const [type, coding, location] = head.fields
  return {
    length: head.length < 0 ? blockLength : head.length,
    status: statusLine.exec(head.text)?.[1],
    contentType: type,
    isChunked: coding !== undefined && /\bchunked$/i.test(coding),
    location,
  }
}

const wholeBlock = (window: ByteWindow, length: number) =>
  parseHead(window.latin1(window.start, window.start + length))
