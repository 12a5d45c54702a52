import type { Bucket, StoredObject } from './bucket.ts'
import { type Algorithm, type ChecksumType, checksum, composite, md5 } from './checksums.ts'

/** Puts an object without a request; `own` stands in the place of what S3 would store. */
export const seedObject = (
  bucket: Bucket,
  key: string,
  content: Uint8Array | string,
  own: Partial<StoredObject> = {},
): StoredObject => {
  const bytes = Buffer.from(content)
  return bucket.add({
    key,
    isDeleteMarker: false,
    bytes,
    etag: md5(bytes).toString('hex'),
    modifiedAt: new Date(),
    headers: { 'content-type': 'binary/octet-stream' },
    storageClass: 'STANDARD',
    checksums: { CRC64NVME: checksum('CRC64NVME', bytes) },
    checksumType: 'FULL_OBJECT',
    ...own,
  })
}

export interface SeededParts {
  readonly algorithm?: Algorithm
  readonly checksumType?: ChecksumType
}

/** Puts an object as a multipart upload of these parts would; their sizes are free. */
export const seedParts = (
  bucket: Bucket,
  key: string,
  contents: readonly (Uint8Array | string)[],
  { algorithm = 'SHA256', checksumType = 'COMPOSITE' }: SeededParts = {},
  own: Partial<StoredObject> = {},
): StoredObject => {
  const parts = contents.map((content, at) => {
    const bytes = Buffer.from(content)
    const etag = md5(bytes).toString('hex')
    return { number: at + 1, bytes, etag, checksum: checksum(algorithm, bytes) }
  })
  const bytes = Buffer.concat(parts.map((part) => part.bytes))
  const sums = parts.map((part) => part.checksum)
  const whole = checksumType === 'FULL_OBJECT' ? checksum(algorithm, bytes) : composite(algorithm, sums)
  return seedObject(bucket, key, bytes, {
    etag: etagOfParts(parts.map(({ etag }) => etag)),
    parts,
    checksums: { [algorithm]: whole },
    checksumType,
    ...own,
  })
}

/** The MD5 of the parts' MD5s, with their number. */
export const etagOfParts = (etags: readonly string[]): string =>
  `${md5(Buffer.concat(etags.map((etag) => Buffer.from(etag, 'hex')))).toString('hex')}-${etags.length}`
