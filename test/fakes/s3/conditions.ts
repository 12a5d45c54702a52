import type { IncomingHttpHeaders } from 'node:http'
import type { StoredObject } from './bucket.ts'
import { notImplemented, preconditionFailed, Refusal } from './refusal.ts'

const unquoted = (etag: string): string => etag.replaceAll('"', '').trim()
const noSuchKey = (): Refusal => new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')

/** Conditional writes, as AWS has them: a delete marker counts as no object. */
export const checkWrite = (headers: IncomingHttpHeaders, current: StoredObject | undefined): void => {
  const { 'if-none-match': none, 'if-match': match } = headers
  if (none !== undefined && none !== '*') throw notImplemented('If-None-Match with an ETag')
  if (none === '*' && current !== undefined) throw preconditionFailed()
  if (match === undefined) return
  if (current === undefined) throw noSuchKey()
  if (match !== '*' && unquoted(match) !== current.etag) throw preconditionFailed()
}

/** Conditional reads: 412 where the object is another, 304 where it is still that one. */
export const checkRead = (headers: IncomingHttpHeaders, object: StoredObject): void => {
  const { 'if-none-match': none, 'if-match': match } = headers
  if (match !== undefined && match !== '*' && unquoted(match) !== object.etag) throw preconditionFailed()
  if (none !== undefined && (none === '*' || unquoted(none) === object.etag))
    throw new Refusal(304, 'NotModified')
}
