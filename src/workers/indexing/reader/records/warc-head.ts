import type { UnreadableArchive } from '../read-failure.ts'
import { type Fields, headReader } from './head.ts'
import { digestToken } from './payload-digest.ts'
import type { CaptureHead, RecordHead } from './record.ts'
import { mimeToken, timeOfDate, urlToken } from './tokens.ts'

export const readWarcFields = headReader([
  'warc-type',
  'content-length',
  'content-type',
  'warc-target-uri',
  'warc-date',
  'warc-payload-digest',
  'warc-record-id',
  'warc-refers-to',
])

type Fault = (code: 'corrupt', reason: string) => UnreadableArchive

/** What the fields mean; `fault` makes what is thrown where they make no record. */
export const recordHeadOf = (fields: Fields, fault: Fault): RecordHead => {
  const [type, length, contentType, url, date, digest, id, refersTo] = fields
  if (length === undefined || !/^\d{1,15}$/.test(length))
    throw fault('corrupt', 'the Content-Length of a record is no number of bytes')
  const kind = captureKind(type, contentType, url)
  const capture = kind && captureOf(kind, { contentType, url, date, digest, refersTo }, fault)
  return { blockLength: Number(length), capture, id }
}

type CaptureKind = 'response' | 'revisit' | 'other'

/** Undefined for records that get no line (reference indexing §3.2): fields about other records, and metadata of nothing. */
const captureKind = (
  type: string | undefined,
  contentType: string | undefined,
  url: string | undefined,
): CaptureKind | undefined => {
  switch (type?.toLowerCase()) {
    case 'response':
      return 'response'
    case 'revisit':
      return 'revisit'
    case 'resource':
      return 'other'
    case 'metadata':
      return url && !/^(application\/warc-fields|text\/anvl)\b/i.test(contentType ?? '') ? 'other' : undefined
    default:
      return undefined
  }
}

interface CaptureFields {
  readonly contentType: string | undefined
  readonly url: string | undefined
  readonly date: string | undefined
  readonly digest: string | undefined
  readonly refersTo: string | undefined
}

const captureOf = (
  kind: CaptureKind,
  { contentType, url, date = '', digest, refersTo }: CaptureFields,
  fault: Fault,
): CaptureHead => {
  if (!url) throw fault('corrupt', 'WARC-Target-URI: a record that is a capture wants one')
  const time = timeOfDate(date)
  if (time === undefined)
    throw fault('corrupt', 'the WARC-Date of a record is no date as 2026-01-31T12:00:00Z')
  const isRevisit = kind === 'revisit'
  const isHttp = kind !== 'other' && holdsHttp(contentType, url)
  return {
    url: urlToken(url),
    time,
    mime: isHttp ? '-' : mimeToken(contentType),
    isRevisit,
    isHttp,
    // The block of a revisit is not what it stands for.
    digest: digestToken(digest) ?? (isRevisit ? '-' : undefined),
    refersTo: isRevisit ? refersTo : undefined,
  }
}

const holdsHttp = (contentType: string | undefined, url: string): boolean =>
  contentType === undefined ? /^<?https?:/i.test(url) : /^application\/http\b/i.test(contentType)
