import { createHash } from 'node:crypto'
import { type Answer, drain } from './answer.ts'
import { S3Error } from './errors.ts'
import { type ChecksumName, checksumsIn, type S3Object, unquote } from './objects.ts'
import { headObject } from './read.ts'
import type { Send } from './sender.ts'
import type { S3Settings } from './settings.ts'

export interface PutOptions {
  /** Writes only if there is no such key. */
  readonly ifNoneMatch?: '*' | undefined
  /** An ETag: writes only if the object has it. */
  readonly ifMatch?: string | undefined
  readonly contentType?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Written {
  readonly etag: string
  readonly versionId?: string
  /** Those that the server confirms, base64. */
  readonly checksums: Readonly<Partial<Record<ChecksumName, string>>>
}

/**
 * Writes a whole object in one request, which is repeated where its answer is lost: a bucket with versions may then
 * have two equal ones. Throws `S3Error`: 412 `PreconditionFailed` where the condition does not hold; 404 where
 * `ifMatch` names an ETag and there is no object.
 *
 * A condition that fails when the request is repeated may have been broken by our own first request. Then the object is
 * compared with what was sent, and is taken as ours if it is equal: who must know which of two writers of equal bytes
 * came first (a lock), writes bytes that no other writer writes.
 */
export const putObject = async (
  send: Send,
  checksums: S3Settings['checksums'],
  key: string,
  bytes: Uint8Array,
  options: PutOptions = {},
): Promise<Written> => {
  const headers = {
    ...checksumHeaders(bytes, checksums),
    ...conditionHeaders(options),
    ...contentHeaders(options),
  }
  try {
    return await send({ method: 'PUT', key, headers, body: bytes, signal: options.signal }, writtenIn)
  } catch (error) {
    const own = await ownWrite(send, key, error, (object) => holds(object, bytes))
    if (own) return own
    throw error
  }
}

/** Returns the object that an earlier request of the call wrote; undefined where it was not that. */
export const ownWrite = async (
  send: Send,
  key: string,
  error: unknown,
  isOurs: (object: S3Object) => boolean,
): Promise<Written | undefined> => {
  if (!(error instanceof S3Error) || !error.wasRepeated || ![404, 409, 412].includes(error.status))
    return undefined
  try {
    const object = await headObject(send, key)
    return isOurs(object) ? object : undefined
  } catch (unknown) {
    if (unknown instanceof S3Error && unknown.status === 404) return undefined
    throw unknown
  }
}

const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes)

const holds = (object: S3Object, bytes: Uint8Array): boolean => {
  if (object.size !== bytes.length) return false
  const { sha256 } = object.checksums
  if (sha256 !== undefined) return sha256 === digest('sha256', bytes).digest('base64')
  return object.etag === digest('md5', bytes).digest('hex')
}

export const writtenIn = async (answer: Answer): Promise<Written> => {
  const { headers } = await drain(answer)
  const versionId = headers['x-amz-version-id']
  return {
    etag: unquote(headers.etag ?? ''),
    ...(versionId && { versionId }),
    checksums: checksumsIn(headers),
  }
}

export const checksumHeaders = (bytes: Uint8Array, checksums: S3Settings['checksums'] = 'supported') => {
  if (checksums === 'required') return {}
  return checksums === 'md5'
    ? { 'content-md5': digest('md5', bytes).digest('base64') }
    : { 'x-amz-checksum-sha256': digest('sha256', bytes).digest('base64') }
}

export const conditionHeaders = ({ ifNoneMatch, ifMatch }: Pick<PutOptions, 'ifNoneMatch' | 'ifMatch'>) => ({
  ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
  ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
})

export const contentHeaders = ({
  contentType,
  metadata = {},
}: Pick<PutOptions, 'contentType' | 'metadata'>) => ({
  ...(contentType !== undefined && { 'content-type': contentType }),
  ...Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name.toLowerCase()}`, value]),
  ),
})
