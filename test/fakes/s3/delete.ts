import { checkDigests } from './body.ts'
import type { Bucket } from './bucket.ts'
import { md5 } from './checksums.ts'
import { checkWrite } from './conditions.ts'
import { Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'
import { document, type Element, each, one } from './xml.ts'

/** Deletes one version, or puts a delete marker in a bucket that keeps versions. What is not there is deleted, too. */
export const deleteObject = (bucket: Bucket, { key, query, headers }: S3Request, now: Date): Answer => {
  if (headers['if-match'] !== undefined) checkWrite(headers, bucket.current(key))
  return { status: 204, headers: removed(bucket, key, query.get('versionId') ?? undefined, now) }
}

const removed = (
  bucket: Bucket,
  key: string,
  versionId: string | undefined,
  now: Date,
): Record<string, string> => {
  if (versionId !== undefined) {
    const isMarker = bucket.remove(key, versionId)?.isDeleteMarker
    return { 'x-amz-version-id': versionId, ...(isMarker ? { 'x-amz-delete-marker': 'true' } : {}) }
  }
  if (!bucket.isVersioned) {
    bucket.remove(key, 'null')
    return {}
  }
  const marker = bucket.add({
    key,
    isDeleteMarker: true,
    bytes: Buffer.alloc(0),
    etag: md5(Buffer.alloc(0)).toString('hex'),
    modifiedAt: now,
    headers: {},
    storageClass: 'STANDARD',
    checksums: {},
  })
  return { 'x-amz-version-id': marker.versionId, 'x-amz-delete-marker': 'true' }
}

export const deleteObjects = (bucket: Bucket, { headers, body }: S3Request, now: Date): Answer => {
  checkDigests(headers, body)
  const asked = each(body.toString(), 'Object')
  if (asked.length === 0 || asked.length > 1000)
    throw new Refusal(400, 'MalformedXML', 'The XML you provided was not well-formed')
  const isQuiet = one(body.toString(), 'Quiet') === 'true'
  const deleted = asked.map((element): Element => {
    const [key = '', versionId] = [one(element, 'Key'), one(element, 'VersionId')]
    const answer = removed(bucket, key, versionId, now)
    return [
      'Deleted',
      [
        ['Key', key],
        ['VersionId', versionId],
        ['DeleteMarker', answer['x-amz-delete-marker']],
      ],
    ]
  })
  return { status: 200, body: document('DeleteResult', isQuiet ? [] : deleted) }
}
