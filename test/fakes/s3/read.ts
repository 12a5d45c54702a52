import type { Bucket, StoredObject } from './bucket.ts'
import { algorithms, headerOf } from './checksums.ts'
import { checkRead } from './conditions.ts'
import { Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'

/** HEAD and GET. */
export const readObject = (bucket: Bucket, request: S3Request): Answer => {
  const object = versionOf(bucket, request)
  checkRead(request.headers, object)
  if (request.method === 'GET' && isArchived(object))
    throw new Refusal(403, 'InvalidObjectState', "The operation is not valid for the object's storage class")
  const { from, to, status, headers } = rangeOf(object, request)
  const bytes = object.bytes.subarray(from, to)
  return {
    status,
    headers: { ...headersOf(object, request, status), ...headers, 'content-length': String(bytes.length) },
    body: bytes,
  }
}

const archives = ['GLACIER', 'DEEP_ARCHIVE']
export const isArchived = (object: StoredObject): boolean =>
  archives.includes(object.storageClass) && !object.restored

export const versionOf = (bucket: Bucket, { key, query }: S3Request): StoredObject => {
  const versionId = query.get('versionId')
  const [newest] = bucket.versions(key)
  const found = versionId === null ? newest : bucket.versions(key).find((one) => one.versionId === versionId)
  if (found === undefined) {
    if (versionId !== null) throw new Refusal(404, 'NoSuchVersion', 'The specified version does not exist.')
    throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
  }
  if (!found.isDeleteMarker) return found
  const marker = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': found.versionId }
  if (versionId === null) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.', marker)
  throw new Refusal(405, 'MethodNotAllowed', 'The specified method is not allowed.', marker)
}

interface Range {
  readonly from: number
  readonly to: number
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

const rangeOf = (object: StoredObject, { headers, query }: S3Request): Range => {
  const size = object.bytes.length
  const whole = { from: 0, to: size, status: 200 }
  const number = query.get('partNumber')
  if (number !== null) return partOf(object, Number(number))
  const asked = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')
  const [, first = '', last = ''] = asked ?? []
  // A range that is none, or that ends before it begins, is as if there were none.
  if (asked === null || first + last === '' || (last !== '' && first !== '' && Number(last) < Number(first)))
    return whole
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from >= size)
    throw new Refusal(416, 'InvalidRange', 'The requested range is not satisfiable', {
      'content-range': `bytes */${size}`,
    })
  return { from, to, status: 206, headers: { 'content-range': `bytes ${from}-${to - 1}/${size}` } }
}

const partOf = (object: StoredObject, number: number): Range => {
  const sizes = object.parts?.map((part) => part.bytes.length) ?? [object.bytes.length]
  const size = sizes[number - 1]
  if (size === undefined)
    throw new Refusal(416, 'InvalidPartNumber', 'The requested partnumber is not satisfiable')
  const from = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0)
  const headers: Record<string, string> = {}
  if (size > 0) headers['content-range'] = `bytes ${from}-${from + size - 1}/${object.bytes.length}`
  if (object.parts !== undefined) headers['x-amz-mp-parts-count'] = String(object.parts.length)
  return { from, to: from + size, status: 206, headers }
}

const headersOf = (object: StoredObject, request: S3Request, status: number): Record<string, string> => {
  const headers: Record<string, string> = {
    ...object.headers,
    etag: `"${object.etag}"`,
    'last-modified': object.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
  }
  if (bucketHasVersions(object)) headers['x-amz-version-id'] = object.versionId
  if (object.storageClass !== 'STANDARD') headers['x-amz-storage-class'] = object.storageClass
  if (object.restored) headers['x-amz-restore'] = 'ongoing-request="false"'
  // Nobody has a checksum beside a range.
  if (status !== 200 || request.headers['x-amz-checksum-mode'] !== 'ENABLED') return headers
  for (const algorithm of algorithms) {
    const value = object.checksums[algorithm]
    if (value !== undefined) headers[headerOf(algorithm)] = value
  }
  if (object.checksumType !== undefined) headers['x-amz-checksum-type'] = object.checksumType
  return headers
}

const bucketHasVersions = (object: StoredObject): boolean => object.versionId !== 'null'
