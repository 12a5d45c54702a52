import type { RecordHead } from '@fonds/warc'
import { digestToken, mimeToken, urlToken } from './tokens.ts'

/** Fields of a capture from the head of its record. */
export interface CaptureHead {
  readonly url: string
  readonly time: string
  /** Used if no head of an HTTP response states it. */
  readonly mime: string
  readonly isRevisit: boolean
  /** True if the block begins with the head of an HTTP response. */
  readonly isHttp: boolean
  /** Undefined if it must be computed. */
  readonly digest: string | undefined
  /** Id of the record that a revisit refers to. */
  readonly refersTo: string | undefined
}

/**
 * Returns undefined if the record gets no line. `fault` makes the error to throw for a record that lacks what its line
 * needs.
 */
export const captureHeadOf = (
  head: RecordHead,
  fault: (reason: string) => Error,
): CaptureHead | undefined => {
  const kind = captureKind(head)
  if (kind === undefined) return undefined
  const { format, url, time, contentType, payloadDigest, refersTo } = head
  if (format === 'warc' && !url) throw fault('WARC-Target-URI: a record that is a capture wants one')
  if (time === undefined) throw fault('the WARC-Date of a record is no date as 2026-01-31T12:00:00Z')
  const isRevisit = kind === 'revisit'
  const isHttp = kind !== 'other' && head.isHttp
  return {
    url: urlToken(url ?? ''),
    time,
    mime: isHttp && format === 'warc' ? '-' : mimeToken(contentType),
    isRevisit,
    isHttp,
    // The block of a revisit is not the payload that it refers to.
    digest: digestToken(payloadDigest) ?? (isRevisit ? '-' : undefined),
    refersTo: isRevisit ? refersTo : undefined,
  }
}

type CaptureKind = 'response' | 'revisit' | 'other'

/** Undefined for records that get no line (reference indexing §3.2): fields about other records, and metadata of nothing. */
const captureKind = ({ type, contentType, url }: RecordHead): CaptureKind | undefined => {
  switch (type) {
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
