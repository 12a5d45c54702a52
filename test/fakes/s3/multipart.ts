import { randomUUID } from 'node:crypto'
import { checkDigests, namedChecksums, objectHeaders } from './body.ts'
import type { Bucket } from './bucket.ts'
import {
  type Algorithm,
  algorithmOf,
  type ChecksumType,
  checksum,
  elementOf,
  headerOf,
  md5,
} from './checksums.ts'
import { encoderOf, maxOf } from './listing.ts'
import { compareKeys } from './names.ts'
import { notImplemented, Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'
import { storageClassOf } from './write.ts'
import { document, type Element } from './xml.ts'

export const createUpload = (bucket: Bucket, request: S3Request, now: Date): Answer => {
  const { key, headers } = request
  const algorithm = algorithmOf(String(headers['x-amz-checksum-algorithm'])) ?? 'CRC64NVME'
  const checksumType = checksumTypeOf(algorithm, headers['x-amz-checksum-type'])
  const id = randomUUID()
  bucket.uploads.set(id, {
    id,
    key,
    startedAt: now,
    headers: objectHeaders(headers),
    algorithm,
    checksumType,
    storageClass: storageClassOf(request),
    parts: new Map(),
  })
  return {
    status: 200,
    headers: { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': checksumType },
    body: document('InitiateMultipartUploadResult', [
      ['Bucket', bucket.name],
      ['Key', key],
      ['UploadId', id],
    ]),
  }
}

const checksumTypeOf = (algorithm: Algorithm, asked: string | string[] | undefined): ChecksumType => {
  if (asked === undefined) return algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE'
  const isSha = algorithm.startsWith('SHA')
  if ((asked === 'FULL_OBJECT' && !isSha) || (asked === 'COMPOSITE' && algorithm !== 'CRC64NVME'))
    return asked
  throw new Refusal(400, 'InvalidRequest', `The ${asked} checksum type cannot be used with ${algorithm}`)
}

export const uploadPart = (bucket: Bucket, { key, query, headers, body }: S3Request): Answer => {
  if (headers['x-amz-copy-source'] !== undefined) throw notImplemented('UploadPartCopy')
  const upload = bucket.upload(key, query.get('uploadId') ?? '')
  const number = Number(query.get('partNumber'))
  if (!Number.isInteger(number) || number < 1 || number > 10_000)
    throw new Refusal(400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive')
  checkDigests(headers, body)
  const [named] = Object.keys(namedChecksums(headers))
  if (named !== undefined && named !== upload.algorithm)
    throw new Refusal(400, 'InvalidRequest', `Checksum Type mismatch occurred, expected ${upload.algorithm}`)
  const etag = md5(body).toString('hex')
  const sum = checksum(upload.algorithm, body)
  upload.parts.set(number, { number, bytes: body, etag, checksum: sum })
  return { status: 200, headers: { etag: `"${etag}"`, [headerOf(upload.algorithm)]: sum } }
}

export const abortUpload = (bucket: Bucket, { key, query }: S3Request): Answer => {
  bucket.uploads.delete(bucket.upload(key, query.get('uploadId') ?? '').id)
  return { status: 204 }
}

export const listParts = (bucket: Bucket, { key, query }: S3Request): Answer => {
  const upload = bucket.upload(key, query.get('uploadId') ?? '')
  const after = Number(query.get('part-number-marker') ?? 0)
  const max = maxOf(query.get('max-parts'), 'max-parts')
  const all = [...upload.parts.values()]
    .filter(({ number }) => number > after)
    .toSorted((a, b) => a.number - b.number)
  const shown = all.slice(0, max)
  return {
    status: 200,
    body: document('ListPartsResult', [
      ['Bucket', bucket.name],
      ['Key', key],
      ['UploadId', upload.id],
      ['IsTruncated', all.length > shown.length],
      ['NextPartNumberMarker', shown.at(-1)?.number],
      ...shown.map(
        ({ number, etag, bytes, checksum: sum }): Element => [
          'Part',
          [
            ['PartNumber', number],
            ['ETag', `"${etag}"`],
            ['Size', bytes.length],
            [elementOf(upload.algorithm), sum],
          ],
        ],
      ),
    ]),
  }
}

export const listUploads = (bucket: Bucket, { query }: S3Request): Answer => {
  const prefix = query.get('prefix') ?? ''
  const encoded = encoderOf(query.get('encoding-type'))
  const [keyMarker, idMarker] = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? '']
  const max = maxOf(query.get('max-uploads'), 'max-uploads')
  const all = [...bucket.uploads.values()]
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((a, b) => compareKeys(a.key, b.key) || compareKeys(a.id, b.id))
    .filter(({ key, id }) => {
      const order = compareKeys(key, keyMarker)
      return order > 0 || (order === 0 && idMarker !== '' && id > idMarker)
    })
  const shown = all.slice(0, max)
  const isTruncated = all.length > shown.length
  const last = isTruncated ? shown.at(-1) : undefined
  return {
    status: 200,
    body: document('ListMultipartUploadsResult', [
      ['Bucket', bucket.name],
      ['IsTruncated', isTruncated],
      ['EncodingType', query.get('encoding-type') ?? undefined],
      ['NextKeyMarker', last === undefined ? undefined : encoded(last.key)],
      ['NextUploadIdMarker', last?.id],
      ...shown.map(
        ({ key, id, startedAt, storageClass }): Element => [
          'Upload',
          [
            ['Key', encoded(key)],
            ['UploadId', id],
            ['Initiated', startedAt.toISOString()],
            ['StorageClass', storageClass],
          ],
        ],
      ),
    ]),
  }
}
