import { type HttpResponse, PermanentFailure } from '@fonds/download'
import { codingOf, failOnStatus, isOwnCoding, lengthOf, rangeOf, validatorsOf } from '@fonds/download/http'

/** A resource, as the answer to a request for its bytes describes it. */
export interface Resource {
  /** Bytes of the whole. */
  readonly size: number
  /**
   * The strong ETag; without one, the date of its last change with the weak ETag and the size. A server that sends
   * neither tag nor date can replace the bytes by others of the same number unnoticed.
   */
  readonly version: string
  /** The server's `Last-Modified`; the epoch if it sends none. */
  readonly modifiedAt: string
}

/**
 * Reads what an answer to a GET says of the whole. Throws `PermanentFailure` where it does not say how long it is, or
 * packs the bytes on the way; and what `failOnStatus` throws.
 */
export const resourceIn = (answer: HttpResponse, address: string): Resource => {
  const size = sizeIn(answer)
  if (size === undefined) failOnStatus(answer)
  const coding = codingOf(answer.headers)
  if (coding !== undefined && !isOwnCoding(coding, answer.headers, [new URL(address).pathname]))
    throw new PermanentFailure(
      `is sent in the coding ${coding}, so that places in it are not those of the file; have the server send it as it is, without Content-Encoding`,
    )
  if (size === undefined)
    throw new PermanentFailure('is sent without its length, so nothing shows whether it arrived whole')
  const { etag, lastModified } = validatorsOf(answer)
  const changed = Date.parse(lastModified ?? '')
  return {
    size,
    version:
      etag !== undefined && isStrong(etag) ? etag : [lastModified ?? '', etag ?? '', size].join(separator),
    modifiedAt: new Date(Number.isNaN(changed) ? 0 : changed).toISOString(),
  }
}

/** Headers by which a server refuses to send another version, if it knows them. */
export const conditionsOf = (version: string | undefined): Readonly<Record<string, string>> => {
  if (version === undefined) return {}
  if (isStrong(version)) return { 'if-match': version }
  const lastModified = version.split(separator, 1)[0]
  return lastModified ? { 'if-unmodified-since': lastModified } : {}
}

/** In no header. */
const separator = '\n'

const isStrong = (etag: string): boolean => etag.startsWith('"')

/** Undefined if the answer does not state it, or has an unexpected status. */
const sizeIn = (answer: HttpResponse): number | undefined => {
  if (answer.status === 200) return lengthOf(answer)
  if (answer.status === 206) return rangeOf(answer)?.total
  const none = answer.status === 416 && /^bytes \*\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')
  return none ? Number(none[1]) : undefined
}
