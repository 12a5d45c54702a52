import { createHash } from 'node:crypto'
import { documentOf, drain } from './answer.ts'
import { invalidAnswer, S3Error } from './errors.ts'
import type { S3Object } from './objects.ts'
import { unquote } from './objects.ts'
import type { Send } from './sender.ts'
import type { S3Settings } from './settings.ts'
import {
  checksumHeaders,
  conditionHeaders,
  contentHeaders,
  ownWrite,
  type PutOptions,
  type Written,
  writtenIn,
} from './write.ts'
import { childText, escapeXml } from './xml.ts'

/** An upload in parts, of which nobody sees anything before it is completed. */
export interface Upload {
  readonly key: string
  readonly uploadId: string
}

/** A part that the server has. */
export interface Part {
  /** 1 to 10,000. */
  readonly number: number
  /** Bytes; at least 5 MiB in all parts but the last. */
  readonly size: number
  readonly etag: string
  /** SHA-256 in base64, where the settings have it sent. */
  readonly sha256?: string
}

export const createUpload = (
  send: Send,
  checksums: S3Settings['checksums'] = 'supported',
  key: string,
  options: Pick<PutOptions, 'contentType' | 'metadata' | 'signal'> & {
    /** Parts come from others, without checksums. */
    readonly isPlain?: boolean
  } = {},
): Promise<Upload> => {
  const headers = {
    ...contentHeaders(options),
    ...(checksums === 'supported' && !options.isPlain && { 'x-amz-checksum-algorithm': 'SHA256' }),
  }
  const { signal } = options
  return send({ method: 'POST', key, query: { uploads: '' }, headers, signal }, async (answer) => {
    const uploadId = childText(await documentOf(answer, 'InitiateMultipartUploadResult'), 'UploadId')
    if (!uploadId) throw invalidAnswer(answer.address, 'the answer lacks an UploadId')
    return { key, uploadId }
  })
}

export const uploadPart = (
  send: Send,
  checksums: S3Settings['checksums'],
  { key, uploadId }: Upload,
  number: number,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<Part> => {
  const headers = checksumHeaders(bytes, checksums)
  const sha256 = 'x-amz-checksum-sha256' in headers ? headers['x-amz-checksum-sha256'] : undefined
  const query = { partNumber: String(number), uploadId }
  return send({ method: 'PUT', key, query, headers, body: bytes, signal }, async (answer) => {
    const { etag } = await writtenIn(answer)
    return { number, size: bytes.length, etag, ...(sha256 && { sha256 }) }
  })
}

/**
 * Makes the object of its parts (in order of their numbers, at least one). Throws `S3Error` as `putObject` does; also
 * `OutcomeUnknown` where the answer was lost, the upload is not open any more, and the key has other content: it was
 * completed and overwritten since, or aborted.
 */
export const completeUpload = async (
  send: Send,
  { key, uploadId }: Upload,
  parts: readonly Part[],
  options: Pick<PutOptions, 'ifNoneMatch' | 'ifMatch' | 'signal'> = {},
): Promise<Written> => {
  const { signal } = options
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.map(xmlOf).join('')}</CompleteMultipartUpload>`)
  const headers = { 'content-type': 'application/xml', ...conditionHeaders(options) }
  try {
    return await send({ method: 'POST', key, query: { uploadId }, headers, body, signal }, async (answer) => {
      const root = await documentOf(answer, 'CompleteMultipartUploadResult')
      const versionId = answer.headers['x-amz-version-id']
      return { etag: unquote(childText(root, 'ETag') ?? ''), ...(versionId && { versionId }), checksums: {} }
    })
  } catch (error) {
    const own = await ownWrite(send, key, error, (object) => isOf(object, parts))
    if (own) return own
    if (!(error instanceof S3Error) || error.code !== 'NoSuchUpload' || !error.wasRepeated) throw error
    const message = `${error.message}; an earlier request may have completed it`
    throw new S3Error({ status: error.status, code: 'OutcomeUnknown', message, isTransient: false }, error)
  }
}

/** Gives up an upload and its parts. One that is not open is no failure. */
export const abortUpload = async (
  send: Send,
  { key, uploadId }: Upload,
  signal?: AbortSignal,
): Promise<void> => {
  try {
    await send({ method: 'DELETE', key, query: { uploadId }, signal }, drain)
  } catch (error) {
    if (!(error instanceof S3Error) || error.code !== 'NoSuchUpload') throw error
  }
}

const xmlOf = ({ number, etag, sha256 }: Part): string =>
  `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${escapeXml(etag)}&quot;</ETag>` +
  `${sha256 ? `<ChecksumSHA256>${sha256}</ChecksumSHA256>` : ''}</Part>`

/** The ETag of an object in parts is an MD5 of theirs, its checksum a SHA-256 of theirs. */
const isOf = (object: S3Object, parts: readonly Part[]): boolean => {
  if (object.size !== parts.reduce((sum, { size }) => sum + size, 0)) return false
  const { sha256 } = object.checksums
  const sums = parts.flatMap((part) => (part.sha256 ? [Buffer.from(part.sha256, 'base64')] : []))
  if (sha256 !== undefined && object.checksumType !== 'FULL_OBJECT' && sums.length === parts.length) {
    const ours = createHash('sha256').update(Buffer.concat(sums)).digest('base64')
    return sha256 === ours || sha256 === `${ours}-${parts.length}`
  }
  const etags = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')))
  return object.etag === `${createHash('md5').update(etags).digest('hex')}-${parts.length}`
}
