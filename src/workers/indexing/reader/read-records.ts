import type { Capture, RecordPlace } from '../../../domain/indexing/capture.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import type { Inflater } from './bytes/inflater.ts'
import { openContainer } from './open-container.ts'
import { UnreadableArchive } from './read-failure.ts'
import { createLineSplitter, duplicateOf, isCrawlLog } from './records/crawl-log.ts'
import { noHead, readHttpHead } from './records/http-head.ts'
import { createPayloadDigest } from './records/payload-digest.ts'
import type { CaptureHead } from './records/record.ts'
import type { Source } from './source.ts'

export interface RecordOptions {
  /** Of the file: captures name it. */
  readonly name: string
  /** `content`: its records are captures. `metadata`: the duplicates that its crawl logs name are, and no records. */
  readonly kind: 'content' | 'metadata'
  /** Fills the column of redirects with the `Location` of responses, as it is. Default: no; replay software leaves it `-`. */
  readonly hasRedirects?: boolean
  /** Fills in the original of a revisit, where this file has it (CDX-14): the ids of all its records are kept in memory. */
  readonly hasOriginals?: boolean
}

/** What is known of a file so far. */
export interface RecordsRead {
  records: number
  captures: number
  /** Records that lack the empty lines behind them, and are whole; and the byte where the first of them begins. */
  shortEnds: number
  firstShortEnd: number
  /** Records whose length cannot be right; the byte where the first of them begins, and what it has for a length. */
  noLengths: number
  firstNoLength?: { readonly offset: number; readonly says: string }
  /** What the content is, whatever the name says: `.warc.gz`, `.warc`, `.arc.gz` or `.arc`. */
  readonly suffix: string
}

interface RecordReading {
  readonly read: RecordsRead
  /** Reads on, about so many bytes of records; false at the end of the file. Throws `UnreadableArchive`. */
  step(bytes: number): boolean
}

/** Takes the bytes of a block, and gives the captures that come of it. */
interface Block {
  left: number
  readonly sink: { push(bytes: Buffer): void } | undefined
  readonly onEnd: (length: number) => void
}

const maxQuotedLength = 40

const emptyPayload = createPayloadDigest(false).end()

/** Reads the records of a file, in constant memory. `take` gets captures before it is known whether the file is whole. */
export const openRecords = (
  source: Source,
  inflater: Inflater,
  options: RecordOptions,
  take: (capture: Capture) => void,
): RecordReading => {
  const { container, format, suffix } = openContainer(source, inflater)
  const { window } = container
  const { name, kind, hasRedirects = false, hasOriginals = false } = options
  const read: RecordsRead = { records: 0, captures: 0, shortEnds: 0, firstShortEnd: 0, noLengths: 0, suffix }
  const places = new Map<string, RecordPlace>()
  let block: Block | undefined
  let isFirst = true

  const found = (capture: Capture) => {
    read.captures++
    take(capture)
  }

  const begin = (): Block => {
    const { blockLength, noLength, capture, id } = format.readHead()
    const { offset } = container
    if (noLength !== undefined) {
      read.noLengths++
      read.firstNoLength ??= { offset, says: clip(noLength, maxQuotedLength) }
    }
    const keepPlace = (length: number) => {
      if (hasOriginals && id !== undefined) places.set(id, { length, offset, file: name })
    }
    if (kind === 'metadata') return crawlLog(blockLength, capture)
    if (!capture) return { left: blockLength, onEnd: keepPlace, sink: undefined }

    const http = capture.isHttp ? readHttpHead(window, blockLength) : noHead
    window.advance(http.length)
    const left = blockLength - http.length
    const digest = capture.digest === undefined && left > 0 ? createPayloadDigest(http.isChunked) : undefined
    const onEnd = (length: number) => {
      keepPlace(length)
      const original = places.get(capture.refersTo ?? '')
      const record = {
        url: capture.url,
        time: capture.time,
        mime: capture.isRevisit ? 'warc/revisit' : http.mime === '-' ? capture.mime : http.mime,
        status: http.status,
        digest: capture.digest ?? digest?.end() ?? emptyPayload,
        redirect: hasRedirects ? http.location : '-',
        flags: '-',
        length,
        offset,
        file: name,
      }
      found(original ? { ...record, original } : record)
    }
    return { left, onEnd, sink: digest }
  }

  const crawlLog = (left: number, capture: CaptureHead | undefined): Block => {
    if (!capture || !isCrawlLog(capture.url)) return { left, onEnd: () => {}, sink: undefined }
    const lines = createLineSplitter((line) => {
      const capture = duplicateOf(line)
      if (capture) found(capture)
    })
    return { left, sink: lines, onEnd: lines.end }
  }

  /** Gives how many bytes of the block it used, at least one where there are. */
  const readOn = (block: Block): number => {
    const used = block.sink || container.isCompressed ? inWindow(block) : container.skip(block.left)
    if (used > 0) block.left -= used
    else if (block.left === Number.POSITIVE_INFINITY) block.left = 0
    else throw tooShort()
    return used
  }

  const inWindow = ({ left, sink }: Block): number => {
    if (window.available === 0 && !window.more()) return 0
    const used = Math.min(window.available, left)
    sink?.push(window.bytes.subarray(window.start, window.start + used))
    window.advance(used)
    return used
  }

  const tooShort = () =>
    container.isCompressed
      ? new UnreadableArchive(
          'corrupt',
          'what is compressed of a record ends within it: the length in the head of the record is wrong',
          container.offset,
        )
      : new UnreadableArchive('truncated', 'the file ends within the block of a record', container.offset)

  const end = ({ onEnd }: Block) => {
    const blockEnd = window.position
    if (!format.readEnd() && read.shortEnds++ === 0) read.firstShortEnd = container.offset
    const recordEnd = container.finish()
    read.records++
    onEnd((container.isCompressed ? recordEnd : blockEnd) - container.offset)
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
