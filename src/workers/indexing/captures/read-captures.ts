import type { Capture, RecordPlace } from '@fonds/cdx'
import { noHttpHead, UnreadableArchive } from '@fonds/warc'
import { type BlockReader, createPayloadDigest, type OpenRecord, type Visit } from '@fonds/warc/read'
import { type CaptureHead, captureHeadOf } from './capture-head.ts'
import { createLineSplitter, duplicateOf, isCrawlLog } from './crawl-log.ts'
import { createOddLines, type OddLines } from './odd-lines.ts'
import { fileToken, mimeToken, urlToken } from './tokens.ts'

export interface CaptureOptions {
  /** Name of the file, which captures contain as a token. */
  readonly name: string
  /**
   * `content`: its records are captures. `metadata`: its captures are the duplicates that its crawl logs name, not its
   * records.
   */
  readonly kind: 'content' | 'metadata'
  /**
   * Fills the column of redirects with the `Location` of responses, unchanged. Default: no; replay software leaves it
   * `-`.
   */
  readonly hasRedirects?: boolean
  /**
   * Fills in the original of a revisit, if this file has it (CDX-14): the ids of all its records are kept in memory.
   */
  readonly hasOriginals?: boolean
}

const emptyPayload = createPayloadDigest(false).end()

/** Returns a visitor of a file's records that passes their captures to `take`, and counts odd lines of crawl logs. */
export const captureVisit = (
  options: CaptureOptions,
  take: (capture: Capture) => void,
  oddLines: OddLines = createOddLines(),
): Visit => (options.kind === 'metadata' ? crawlLogVisit(take, oddLines) : recordVisit(options, take))

/** Throws `UnreadableArchive` for a record that should be a capture, but lacks a required field. */
export const checkCapture: Visit = (record) => {
  headOf(record)
  return undefined
}

const headOf = ({ head, offset }: OpenRecord): CaptureHead | undefined =>
  captureHeadOf(head, (reason) => new UnreadableArchive('corrupt', reason, offset))

const recordVisit = (
  { name, hasRedirects = false, hasOriginals = false }: CaptureOptions,
  take: (capture: Capture) => void,
): Visit => {
  const places = new Map<string, RecordPlace>()
  const file = fileToken(name)
  return (record) => {
    const { head, offset } = record
    const { id, blockLength } = head
    const capture = headOf(record)
    const keepPlace = (length: number) => {
      if (hasOriginals && id !== undefined) places.set(id, { length, offset, file })
    }
    if (!capture) return { end: keepPlace }

    const http = capture.isHttp ? record.readHttpHead() : noHttpHead
    const digest =
      capture.digest === undefined && blockLength > http.length
        ? createPayloadDigest(http.isChunked)
        : undefined
    const end = (length: number) => {
      keepPlace(length)
      const original = places.get(capture.refersTo ?? '')
      const mime = mimeToken(http.contentType)
      const found = {
        url: capture.url,
        time: capture.time,
        mime: capture.isRevisit ? 'warc/revisit' : mime === '-' ? capture.mime : mime,
        status: http.status ?? '-',
        digest: capture.digest ?? digest?.end() ?? emptyPayload,
        redirect: hasRedirects && http.location ? urlToken(http.location) : '-',
        flags: '-',
        length,
        offset,
        file,
      }
      take(original ? { ...found, original } : found)
    }
    return { push: digest?.push, end }
  }
}

const crawlLogVisit =
  (take: (capture: Capture) => void, oddLines: OddLines): Visit =>
  (record): BlockReader | undefined => {
    const capture = headOf(record)
    if (!capture || !isCrawlLog(capture.url)) return undefined
    const { offset } = record
    const lines = createLineSplitter({
      take: (line, number) => {
        const duplicate = duplicateOf(line)
        if (duplicate === 'unusable') oddLines.count('unusable', { number, offset })
        else if (duplicate) take(duplicate)
      },
      tooLong: (number) => oddLines.count('too long', { number, offset }),
    })
    return { push: lines.push, end: lines.end }
  }
