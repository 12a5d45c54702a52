import type { Container } from '../bytes/container.ts'
import { UnreadableArchive } from '../read-failure.ts'
import { type Fields, fieldReader, headLength, skipEmptyLines } from './head.ts'
import { digestToken } from './payload-digest.ts'
import type { CaptureHead, RecordFormat, RecordHead } from './record.ts'
import { mimeToken, timeOfDate, urlToken } from './tokens.ts'

const names = [
  'warc-type',
  'warc-date',
  'warc-target-uri',
  'warc-payload-digest',
  'warc-refers-to',
  'warc-record-id',
  'content-type',
  'content-length',
] as const
const readFields = fieldReader(names)
type WarcFields = Fields<(typeof names)[number]>

const version = /^WARC\/(?:0\.17|0\.18|1\.0|1\.1)[ \t]*\r?\n/
/** Of empty lines behind a record: two are the rule, some writers have more. */
const maxEmptyBytes = 64

/** WARC 0.17, 0.18, 1.0 and 1.1. */
export const createWarcFormat = (container: Container): RecordFormat => {
  const { window } = container

  const fault = (code: 'corrupt' | 'truncated', reason: string) =>
    new UnreadableArchive(code, reason, container.offset)

  return {
    readHead: () => {
      const length = headLength(window, window.bytes.length)
      const text = window.latin1(
        window.start,
        window.start + Math.max(length, Math.min(window.available, 64)),
      )
      const found = version.exec(text)
      if (!found) throw fault(isCut(text) ? 'truncated' : 'corrupt', wrongVersion(text))
      if (length < 0)
        throw window.available === window.bytes.length
          ? fault('corrupt', `the head of a record is longer than ${window.bytes.length} bytes`)
          : fault('truncated', 'the file ends within the head of a record')
      window.advance(length)
      return recordOf(readFields(text, found[0].length), fault)
    },
    readEnd: () => {
      if (skipEmptyLines(window, maxEmptyBytes) >= 2) return
      throw window.has(1) || container.isCompressed
        ? fault('corrupt', 'a record does not end where its Content-Length says')
        : fault('truncated', 'the file ends behind the block of a record, before its empty lines')
    },
  }
}

/** Of a first line that ends with the file. */
const isCut = (text: string): boolean =>
  text.length < 11 && !text.includes('\n') && ('WARC/'.startsWith(text) || text.startsWith('WARC/'))

const wrongVersion = (text: string): string =>
  text.startsWith('WARC/')
    ? `a record has the version ${JSON.stringify(text.slice(0, 20).split('\n')[0])}; 0.17, 0.18, 1.0 and 1.1 can be read`
    : 'no record begins where the one before ends: the Content-Length of that one is wrong, or the file is damaged'

type Fault = (code: 'corrupt', reason: string) => UnreadableArchive

const recordOf = (fields: WarcFields, fault: Fault): RecordHead => {
  const blockLength = lengthOf(fields['content-length'])
  if (blockLength === undefined)
    throw fault(
      'corrupt',
      `Content-Length: wants a number of bytes, got ${JSON.stringify(fields['content-length'] ?? '')}`,
    )
  const capture = captureOf(fields, fault)
  const id = fields['warc-record-id']
  return { blockLength, ...(capture && { capture }), ...(id !== undefined && { id }) }
}

const lengthOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** Which records get a line (reference indexing §3.2). */
const captureOf = (fields: WarcFields, fault: Fault): CaptureHead | undefined => {
  const type = fields['warc-type']?.toLowerCase()
  const contentType = fields['content-type']
  const isResponse = type === 'response'
  const isRevisit = type === 'revisit'
  if (!isResponse && !isRevisit && !hasContent(type, contentType, fields)) return undefined

  const url = fields['warc-target-uri']
  if (!url) throw fault('corrupt', `a ${type} record has no WARC-Target-URI`)
  const time = timeOfDate(fields['warc-date'] ?? '')
  if (time === undefined)
    throw fault(
      'corrupt',
      `WARC-Date: wants a date as 2026-01-31T12:00:00Z, got ${JSON.stringify(fields['warc-date'] ?? '')}`,
    )

  const isHttp =
    (isResponse || isRevisit) &&
    (contentType === undefined ? /^<?https?:/i.test(url) : /^application\/http\b/i.test(contentType))
  // The block of a revisit is not what it stands for.
  const digest = digestToken(fields['warc-payload-digest']) ?? (isRevisit ? '-' : undefined)
  const refersTo = isRevisit ? fields['warc-refers-to'] : undefined
  return {
    url: urlToken(url),
    time,
    mime: isHttp ? '-' : mimeToken(contentType),
    isRevisit,
    isHttp,
    ...(digest !== undefined && { digest }),
    ...(refersTo !== undefined && { refersTo }),
  }
}

/** Fields about other records are no content, nor is metadata of nothing. */
const hasContent = (type: string | undefined, contentType: string | undefined, fields: WarcFields): boolean =>
  type === 'resource' ||
  (type === 'metadata' &&
    Boolean(fields['warc-target-uri']) &&
    !/^(application\/warc-fields|text\/anvl)\b/i.test(contentType ?? ''))
