import { type Answer, lengthIn } from './answer.ts'
import { invalidAnswer } from './errors.ts'

/** Algorithms of checksums that S3 keeps. */
export const checksumNames = ['sha256', 'sha1', 'crc32', 'crc32c', 'crc64nvme'] as const
export type ChecksumName = (typeof checksumNames)[number]

/** An object as listings have it. */
export interface ListedObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** Without quotation marks; empty where the server has none: a file that was put into its folder. */
  readonly etag: string
  /** ISO 8601 UTC. Answers to HEAD and GET have whole seconds, listings of some servers milliseconds. */
  readonly modifiedAt: string
  /** `GLACIER` …; absent for `STANDARD`. */
  readonly storageClass?: string
}

/** An object as HEAD and GET have it. */
export interface S3Object extends ListedObject {
  readonly versionId?: string
  /** Base64, as S3 gives them; those of parts (COMPOSITE) mostly end in `-N`. */
  readonly checksums: Readonly<Partial<Record<ChecksumName, string>>>
  /** COMPOSITE: made of the checksums of the parts. Absent where the server does not name it. */
  readonly checksumType?: 'FULL_OBJECT' | 'COMPOSITE'
  /** Parts that it was uploaded in, where the server tells. */
  readonly parts?: number
  /** Bytes of the part that was asked for. */
  readonly partSize?: number
  /** `x-amz-meta-*`, names in lower case. */
  readonly metadata: Readonly<Record<string, string>>
  /** `AES256`, `aws:kms`, `aws:kms:dsse`, or `customer` for a key that the client keeps. */
  readonly encryption?: string
  /** The header x-amz-restore: an archived object's restoration, and until when it lasts. */
  readonly restore?: string
  /** The header x-amz-archive-status: the tier of INTELLIGENT_TIERING in which it is archived. */
  readonly archiveStatus?: string
  /** Content-Encoding. The bytes are given as stored, whatever it names. */
  readonly contentEncoding?: string
}

/** The object that an answer to HEAD or GET describes. Throws `S3Error` where its size or date is missing. */
export const objectIn = (key: string, { address, headers }: Answer): S3Object => {
  const size = totalIn(headers['content-range']) ?? lengthIn(headers)
  const etag = unquote(headers.etag ?? '')
  const modified = Date.parse(headers['last-modified'] ?? '')
  if (size === undefined || !Number.isFinite(modified))
    throw invalidAnswer(address, 'the answer lacks Content-Length or Last-Modified')
  const type = headers['x-amz-checksum-type']
  const parts = Number(headers['x-amz-mp-parts-count'] ?? /-(\d+)$/.exec(etag)?.[1])
  const { 'x-amz-version-id': versionId, 'x-amz-storage-class': storageClass } = headers
  const encryption = encryptionIn(headers)
  return {
    key,
    size,
    etag,
    modifiedAt: new Date(modified).toISOString(),
    ...(versionId && { versionId }),
    ...(storageClass && storageClass !== 'STANDARD' && { storageClass }),
    checksums: checksumsIn(headers),
    ...((type === 'FULL_OBJECT' || type === 'COMPOSITE') && { checksumType: type }),
    ...(parts > 0 && { parts }),
    metadata: metadataIn(headers),
    ...(encryption && { encryption }),
    ...(headers['x-amz-restore'] && { restore: headers['x-amz-restore'] }),
    ...(headers['x-amz-archive-status'] && { archiveStatus: headers['x-amz-archive-status'] }),
    ...(headers['content-encoding'] && { contentEncoding: headers['content-encoding'] }),
  }
}

export const unquote = (etag: string): string => etag.replace(/^(?:W\/)?"(.*)"$/, '$1')

export const checksumsIn = (headers: Answer['headers']): S3Object['checksums'] => {
  const found: Partial<Record<ChecksumName, string>> = {}
  for (const name of checksumNames) {
    const value = headers[`x-amz-checksum-${name}`]
    if (value) found[name] = value
  }
  return found
}

/** Size of the whole object, beside a range of it. */
const totalIn = (contentRange: string | undefined): number | undefined => {
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1]
  return total === undefined ? undefined : Number(total)
}

const metadataPrefix = 'x-amz-meta-'

const metadataIn = (headers: Answer['headers']): Record<string, string> => {
  const metadata: Record<string, string> = {}
  for (const name in headers)
    if (name.startsWith(metadataPrefix)) metadata[name.slice(metadataPrefix.length)] = headers[name] ?? ''
  return metadata
}

const encryptionIn = (headers: Answer['headers']): string | undefined =>
  headers['x-amz-server-side-encryption-customer-algorithm']
    ? 'customer'
    : headers['x-amz-server-side-encryption']
