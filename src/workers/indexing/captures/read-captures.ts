import { type Capture, fileToken, type RecordPlace } from '@fonds/cdx'
import { noHttpHead, UnreadableArchive } from '@fonds/warc'
import { type BlockReader, createPayloadDigest, type OpenRecord, type Visit } from '@fonds/warc/read'
import { type CaptureHead, captureHeadOf } from './capture-head.ts'
import { createLineSplitter, duplicateOf, isCrawlLog } from './crawl-log.ts'
import { createOddLines, type OddLines } from './odd-lines.ts'
import { createRequestBlock } from './request-block.ts'
import { createRequestPairs, type RecordNames } from './request-pairs.ts'
import { mimeToken, urlToken } from './tokens.ts'

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
  /** Gives captures the requests by POST and PUT that they answer, for their keys. Default: no. */
  readonly hasRequests?: boolean
}

/** Visits the records of one file. */
export interface CaptureVisit {
  readonly visit: Visit
  /** To be called at the end of the file: passes on captures that waited, and returns warnings. */
  readonly end: () => readonly string[]
}

const emptyPayload = createPayloadDigest(false).end()

/** Returns a visitor of a file's records that passes their captures to `take`. */
export const captureVisit = (options: CaptureOptions, take: (capture: Capture) => void): CaptureVisit => {
  if (options.kind === 'metadata') {
    const oddLines = createOddLines()
    return { visit: crawlLogVisit(take, oddLines), end: oddLines.warnings }
  }
  return options.hasRequests
    ? visitWithRequests(options, take)
    : { visit: recordVisit(options, take), end: () => [] }
}

/** Captures wait for their requests, which may follow them. */
const visitWithRequests = (options: CaptureOptions, take: (capture: Capture) => void): CaptureVisit => {
  const pairs = createRequestPairs(take)
  let tooLong = 0
  let head: OpenRecord['head'] | undefined
  const visit = recordVisit(options, (capture) => pairs.addCapture(capture, namesOf(head)))
  return {
    visit: (record) => {
      head = record.head
      if (head.type !== 'request' || !head.isHttp) return visit(record)
      const names = namesOf(head)
      const block = createRequestBlock()
      const reader = visit(record)
      return {
        push: block.push,
        end: (length) => {
          reader?.end?.(length)
          const request = block.end()
          if (request?.isTooLong) tooLong++
          pairs.addRequest(request && { method: request.method, body: request.body }, names)
        },
      }
    },
    end: () => {
      pairs.end()
      return tooLong === 0
        ? []
        : [
            `requests whose body is too long to be read as a form of parts or as JSON: ${tooLong}; their keys have its first bytes`,
          ]
    },
  }
}

const namesOf = (head: OpenRecord['head'] | undefined): RecordNames => ({
  id: head?.id,
  concurrentTo: head?.concurrentTo,
  url: head?.url,
})

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
