import { checkDigests, namedChecksums, objectHeaders } from './body.ts'
import type { Bucket, StoredObject } from './bucket.ts'
import { algorithmOf, algorithms, checksum, headerOf, md5 } from './checksums.ts'
import { checkWrite } from './conditions.ts'
import { isArchived, versionOf } from './read.ts'
import { notImplemented, Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'

/** PUT of a whole object. */
export const putObject = (bucket: Bucket, request: S3Request, now: Date): Answer => {
  const { headers, body, key } = request
  if (headers['x-amz-copy-source'] !== undefined) throw notImplemented('CopyObject')
  checkDigests(headers, body)
  checkWrite(headers, bucket.current(key))
  const named = namedChecksums(headers)
  const asked = algorithmOf(String(headers['x-amz-sdk-checksum-algorithm'])) ?? 'CRC64NVME'
  const object = bucket.add({
    key,
    isDeleteMarker: false,
    bytes: body,
    etag: md5(body).toString('hex'),
    modifiedAt: now,
    headers: objectHeaders(headers),
    storageClass: storageClassOf(request),
    checksums: Object.keys(named).length > 0 ? named : { [asked]: checksum(asked, body) },
    checksumType: 'FULL_OBJECT',
  })
  return { status: 200, headers: writtenHeaders(object) }
}

export const writtenHeaders = (object: StoredObject): Record<string, string> => {
  const headers: Record<string, string> = { etag: `"${object.etag}"` }
  if (object.versionId !== 'null') headers['x-amz-version-id'] = object.versionId
  for (const algorithm of algorithms) {
    const value = object.checksums[algorithm]
    if (value !== undefined) headers[headerOf(algorithm)] = value
  }
  if (object.checksumType !== undefined) headers['x-amz-checksum-type'] = object.checksumType
  return headers
}

export const storageClassOf = ({ headers }: S3Request): string =>
  String(headers['x-amz-storage-class'] ?? 'STANDARD')

/** The object can be read at once, unlike on AWS: 202 the first time, 200 from then on. */
export const restoreObject = (bucket: Bucket, request: S3Request): Answer => {
  const object = versionOf(bucket, request)
  if (object.restored) return { status: 200 }
  if (!isArchived(object))
    throw new Refusal(
      403,
      'InvalidObjectState',
      "Restore is not allowed for the object's current storage class",
    )
  bucket.replace(object, { restored: true })
  return { status: 202 }
}
