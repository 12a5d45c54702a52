import { createHash } from 'node:crypto'
import { type Conditions, foreignEtag, refusesWrite } from '@fonds/ocfl/bucket'
import type { ProbeStep } from '../../../src/ports/bucket-prober.ts'
import type { S3Bucket } from '../../s3/bucket.ts'
import type { Upload } from '../../s3/multipart.ts'
import { bucketOf } from './bucket.ts'

/** Object of a probe, and what is to be taken away of it. */
export interface Probed {
  readonly bucket: S3Bucket
  readonly key: string
  readonly bytes: Uint8Array
  /** Version of the object, where the bucket keeps versions. */
  versionId?: string
  /** One that was begun, and not given up. */
  upload?: Upload
}

/** The server does something, but not what it should. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
}

/** Returns what was seen, if it is of interest. Throws `ProbeFailed` and `S3Error`. */
type Step = (probed: Probed) => Promise<string | undefined>

const write: Step = async (probed) => {
  const { bucket, key, bytes } = probed
  const { versionId } = await bucket.put(key, bytes, { contentType: 'text/plain; charset=utf-8' })
  if (versionId === undefined || versionId === 'null') return undefined
  probed.versionId = versionId
  return 'the bucket keeps versions'
}

const list: Step = async ({ bucket, key }) => {
  for await (const { objects } of bucket.list({ prefix: key }))
    if (objects.some((object) => object.key === key)) return undefined
  throw new ProbeFailed('it was written, and is not in a listing')
}

const read: Step = async ({ bucket, key, bytes }) => {
  const { object, body } = await bucket.get(key)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const read = Buffer.concat(chunks)
  if (!read.equals(bytes)) throw new ProbeFailed('it gives other bytes than were written')
  const { sha256 } = object.checksums
  const names = Object.keys(object.checksums)
  if (sha256 !== undefined && sha256 !== createHash('sha256').update(bytes).digest('base64'))
    throw new ProbeFailed('its SHA-256 is not that of the bytes')
  return names.length === 0
    ? 'the server reports no checksum beside the ETag'
    : `the server reports checksums (${names.join(', ')})`
}

const conditional =
  (conditions: Conditions): Step =>
  async ({ bucket, key, bytes }) => {
    if (await refusesWrite(bucketOf(bucket), key, bytes, conditions)) return undefined
    throw new ProbeFailed(
      'the server writes although the condition forbids it: writers of one log take turns by it, and those of two logs would overwrite each other',
    )
  }

const multipart: Step = async (probed) => {
  const { bucket, key, bytes } = probed
  probed.upload = await bucket.createUpload(`${key}-parts`)
  await bucket.uploadPart(probed.upload, 1, bytes)
  await bucket.abortUpload(probed.upload)
  delete probed.upload
  return undefined
}

const listUploads: Step = async ({ bucket, key }) => {
  for await (const _ of bucket.uploads({ prefix: key }));
  return undefined
}

export const steps: Readonly<Record<Exclude<ProbeStep, 'delete' | 'delete-versions'>, Step>> = {
  write,
  list,
  read,
  'if-none-match': conditional({ ifNoneMatch: '*' }),
  'if-match': conditional({ ifMatch: foreignEtag }),
  multipart,
  'list-uploads': listUploads,
}
