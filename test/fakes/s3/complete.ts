import type { Bucket, Part, Upload } from './bucket.ts'
import { checksum, composite, elementOf, headerOf } from './checksums.ts'
import { checkWrite } from './conditions.ts'
import { badDigest, Refusal } from './refusal.ts'
import type { Answer, S3Request } from './request.ts'
import { etagOfParts } from './seed.ts'
import { writtenHeaders } from './write.ts'
import { document, each, one } from './xml.ts'

/** Joins the parts. The upload stays open where this is refused. */
export const completeUpload = (
  bucket: Bucket,
  request: S3Request,
  now: Date,
  minPartBytes: number,
): Answer => {
  const { key, query, headers, body } = request
  const upload = bucket.upload(key, query.get('uploadId') ?? '')
  const parts = namedParts(upload, body.toString())
  if (parts.slice(0, -1).some(({ bytes }) => bytes.length < minPartBytes))
    throw new Refusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  const bytes = Buffer.concat(parts.map((part) => part.bytes))
  const size = headers['x-amz-mp-object-size']
  if (size !== undefined && Number(size) !== bytes.length)
    throw new Refusal(
      400,
      'InvalidRequest',
      'The provided x-amz-mp-object-size does not match what was uploaded',
    )
  const sum = checksumOf(upload, parts, bytes)
  const named = headers[headerOf(upload.algorithm)]
  if (named !== undefined && named !== sum && `${named}-${parts.length}` !== sum)
    throw badDigest(upload.algorithm)
  checkWrite(headers, bucket.current(key))
  bucket.uploads.delete(upload.id)
  const { headers: own, storageClass, checksumType, algorithm } = upload
  const object = bucket.add({
    key,
    isDeleteMarker: false,
    bytes,
    etag: etagOfParts(parts.map(({ etag }) => etag)),
    modifiedAt: now,
    headers: own,
    storageClass,
    checksums: { [algorithm]: sum },
    checksumType,
    parts,
  })
  return {
    status: 200,
    headers: writtenHeaders(object),
    body: document('CompleteMultipartUploadResult', [
      ['Bucket', bucket.name],
      ['Key', key],
      ['ETag', `"${object.etag}"`],
      [elementOf(algorithm), sum],
      ['ChecksumType', checksumType],
    ]),
  }
}

const checksumOf = ({ algorithm, checksumType }: Upload, parts: readonly Part[], bytes: Buffer): string =>
  checksumType === 'FULL_OBJECT'
    ? checksum(algorithm, bytes)
    : composite(
        algorithm,
        parts.map((part) => part.checksum ?? ''),
      )

const namedParts = (upload: Upload, text: string): readonly Part[] => {
  let last = 0
  const parts = each(text, 'Part').map((element) => {
    const number = Number(one(element, 'PartNumber'))
    if (number <= last)
      throw new Refusal(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.')
    last = number
    const part = upload.parts.get(number)
    const sum = one(element, elementOf(upload.algorithm))
    const isSame = part?.etag === one(element, 'ETag')?.replaceAll('"', '')
    if (part === undefined || !isSame || (sum !== undefined && sum !== part.checksum))
      throw new Refusal(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
    return part
  })
  if (parts.length === 0) throw new Refusal(400, 'MalformedXML', 'The XML you provided was not well-formed')
  return parts
}
