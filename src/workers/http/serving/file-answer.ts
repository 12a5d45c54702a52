import type { IncomingHttpHeaders } from 'node:http'
import { type ByteRange, wantedRange } from './byte-range.ts'

/** A file as it is served. */
export interface ServedFile {
  readonly size: number
  readonly modifiedAt: Date
  /** ETag: changes whenever the bytes may have changed. */
  readonly tag: string
}

/** Response to a request for a file. `range` is its body; absent: it has none. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly range?: ByteRange
}

/**
 * Returns the response to a GET or HEAD of a file. Evaluates preconditions in the order of RFC 9110, §13.2.2, then the
 * range.
 */
export const fileAnswer = (asked: IncomingHttpHeaders, file: ServedFile): FileAnswer => {
  const { size } = file
  const validators = { etag: file.tag, 'last-modified': file.modifiedAt.toUTCString() }
  if (!isExpected(asked, file)) return { status: 412, headers: validators }
  if (isKnown(asked, file)) return { status: 304, headers: validators }

  const headers = { ...validators, 'accept-ranges': 'bytes' }
  const range = isSame(asked['if-range']?.toString(), file) ? wantedRange(asked.range, size) : 'whole'
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } }
  if (range === 'whole')
    return {
      status: 200,
      headers: { ...headers, 'content-length': String(size) },
      ...(size > 0 && { range: { from: 0, to: size - 1 } }),
    }
  const { from, to } = range
  return {
    status: 206,
    headers: {
      ...headers,
      'content-range': `bytes ${from}-${to}/${size}`,
      'content-length': String(to - from + 1),
    },
    range,
  }
}

/** True if `If-Match`, or else `If-Unmodified-Since`, holds. */
const isExpected = (asked: IncomingHttpHeaders, { tag, modifiedAt }: ServedFile): boolean => {
  const match = asked['if-match']
  if (match !== undefined) return tagsIn(match).some((one) => one === tag || one === '*')
  const since = dateIn(asked['if-unmodified-since'])
  return since === undefined || seconds(modifiedAt.getTime()) <= seconds(since)
}

/** True if the client has the file, by `If-None-Match` (weak comparison), or else by `If-Modified-Since`. */
const isKnown = (asked: IncomingHttpHeaders, { tag, modifiedAt }: ServedFile): boolean => {
  const match = asked['if-none-match']
  if (match !== undefined) return tagsIn(match).some((one) => one === '*' || one.replace(/^W\//, '') === tag)
  const since = dateIn(asked['if-modified-since'])
  return since !== undefined && seconds(modifiedAt.getTime()) <= seconds(since)
}

/** `If-Range`: a part is of use to the client only if the file is still the one that it has parts of. */
const isSame = (ifRange: string | undefined, { tag, modifiedAt }: ServedFile): boolean => {
  if (ifRange === undefined) return true
  if (/^(W\/)?"/.test(ifRange)) return ifRange === tag
  const date = dateIn(ifRange)
  return date !== undefined && seconds(date) === seconds(modifiedAt.getTime())
}

const tagsIn = (header: string): readonly string[] => header.split(',').map((one) => one.trim())

const dateIn = (header: string | undefined): number | undefined => {
  const date = Date.parse(header ?? '')
  return Number.isNaN(date) ? undefined : date
}

/** HTTP dates have no fractions of a second. */
const seconds = (millis: number): number => Math.floor(millis / 1000)
