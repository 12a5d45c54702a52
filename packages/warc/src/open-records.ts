import type { Inflater } from './bytes/inflater.ts'
import { openContainer } from './open-container.ts'
import { UnreadableArchive } from './read-failure.ts'
import { type HttpHead, readHttpHead } from './records/http-head.ts'
import type { RecordHead } from './records/record.ts'
import type { Source } from './source.ts'

/** A record whose head was read. */
export interface OpenRecord {
  readonly head: RecordHead
  /** Offset in the file: of the record or, if compressed, of its member or its first frame. */
  readonly offset: number
  /**
   * Reads the head of the HTTP response that the block begins with. The bytes pushed are those behind it. A
   * block without an empty line is all head. A head that is too long for the buffer (256 KiB, or 1 MiB if
   * nothing is compressed), or is invalid, stays in the payload and has the length 0.
   */
  readHttpHead(): HttpHead
}

/** Receives the content of a record. */
export interface BlockReader {
  /** Receives bytes of the block, valid only during the call. Absent: they are skipped. */
  readonly push?: ((bytes: Buffer) => void) | undefined
  /**
   * Called when the record was read whole, with its bytes in the file: of its members or frames if
   * compressed, else without the empty lines behind it.
   */
  readonly end?: (length: number) => void
}

/** Called for each record, in the order of the file. An error that it throws ends the reading. */
export type Visit = (record: OpenRecord) => BlockReader | undefined

/** Counts of the records read so far. */
export interface RecordsRead {
  records: number
  /** Records that are whole but lack the line ends behind them, and the offset of the first of them. */
  shortEnds: number
  firstShortEnd: number
  /** Records whose length is invalid; the offset of the first of them, and the text of its length. */
  malformedLengths: number
  firstMalformedLength?: { readonly offset: number; readonly text: string }
  /** The suffix that fits the content: `.warc.gz`, `.warc.zst`, `.warc`, `.arc.gz` or `.arc`. */
  readonly suffix: string
}

export interface RecordReading {
  readonly read: RecordsRead
  /** Reads about `bytes` more bytes. Returns false at the end of the file. Throws `UnreadableArchive`. */
  step(bytes: number): boolean
}

interface Block {
  left: number
  readonly reader: BlockReader | undefined
}

const maxQuotedLength = 40

/**
 * Reads the records of a file, in constant memory. Records are visited before it is known whether the file is
 * whole. `placeOf` maps offsets of the source to those of the file, if these differ.
 */
export const openRecords = (
  source: Source,
  inflater: Inflater,
  visit: Visit,
  placeOf: (offset: number) => number = (offset) => offset,
): RecordReading => {
  const { container, format, suffix } = openContainer(source, inflater)
  const { window } = container
  const read: RecordsRead = { records: 0, shortEnds: 0, firstShortEnd: 0, malformedLengths: 0, suffix }
  let block: Block | undefined
  let isFirst = true

  const begin = (): Block => {
    const head = format.readHead()
    const offset = placeOf(container.offset)
    if (head.malformedLength !== undefined) {
      read.malformedLengths++
      read.firstMalformedLength ??= { offset, text: clipped(head.malformedLength) }
    }
    let left = head.blockLength
    const reader = visit({
      head,
      offset,
      readHttpHead: () => {
        const http = readHttpHead(window, left)
        window.advance(http.length)
        left -= http.length
        return http
      },
    })
    return { left, reader }
  }

  /** Returns the number of the block's bytes used, at least one if there are any. */
  const readOn = (block: Block): number => {
    const isRead = block.reader?.push !== undefined || container.isCompressed
    const used = isRead ? inWindow(block) : container.skip(block.left)
    if (used > 0) block.left -= used
    else if (block.left === Number.POSITIVE_INFINITY) block.left = 0
    else throw tooShort()
    return used
  }

  const inWindow = ({ left, reader }: Block): number => {
    if (window.available === 0 && !window.more()) return 0
    const used = Math.min(window.available, left)
    reader?.push?.(window.bytes.subarray(window.start, window.start + used))
    window.advance(used)
    return used
  }

  const tooShort = () =>
    container.isCompressed
      ? new UnreadableArchive(
          'corrupt',
          'the compressed data of a record ends within it: the length in the head of the record is wrong',
          container.offset,
        )
      : new UnreadableArchive('truncated', 'the file ends within the block of a record', container.offset)

  const end = ({ reader }: Block) => {
    const blockEnd = window.position
    if (!format.readEnd() && read.shortEnds++ === 0) read.firstShortEnd = placeOf(container.offset)
    const recordEnd = container.finish()
    read.records++
    reader?.end?.((container.isCompressed ? recordEnd : blockEnd) - container.offset)
  }

  return {
    read,
    step: (bytes) => {
      for (let budget = bytes; budget > 0; ) {
        if (!block) {
          if (!isFirst && !container.next()) return false
          isFirst = false
          block = begin()
          budget -= 1024
        }
        while (block.left > 0 && budget > 0) budget -= readOn(block)
        if (block.left > 0) return true
        end(block)
        block = undefined
      }
      return true
    },
  }
}

/** The text comes from the file, and may be long. It has one character per byte. */
const clipped = (text: string): string =>
  text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength - 1)}…` : text
