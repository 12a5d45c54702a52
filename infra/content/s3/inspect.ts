import type { BucketInspection, BucketStep } from '../../../src/ports/bucket-inspector.ts'
import { drain } from '../../s3/answer.ts'
import { openBucket, type S3Bucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { ListedObject } from '../../s3/objects.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { reasonOf } from './failure.ts'
import { locationOf } from './location.ts'

const quick = { attempts: 2, timeoutMillis: 5000, connections: 1 }

/** Lists, describes and reads a byte of what is below an address; writes nothing. Throws `ContentRootError`. */
export const inspectBucket = async (
  address: string,
  settings: S3Settings = {},
  signal?: AbortSignal,
): Promise<BucketInspection> => {
  const { bucket: name, prefix } = locationOf(address)
  const bucket = openBucket(name, { ...settings, ...quick })
  try {
    return await inspected(bucket, prefix, signal)
  } finally {
    await bucket.close()
  }
}

type Found = { -readonly [K in keyof BucketInspection]: BucketInspection[K] }

const inspected = async (
  bucket: S3Bucket,
  prefix: string,
  signal?: AbortSignal,
): Promise<BucketInspection> => {
  const done: BucketStep[] = []
  const found: Found = { done }
  let step: BucketStep = 'reach'
  try {
    const skewMillis = await skewOf(bucket, signal)
    if (skewMillis !== undefined) found.skewMillis = skewMillis
    done.push(step)

    step = 'list'
    const listed = await firstBelow(bucket, prefix, signal)
    done.push(step)
    if (listed === undefined) return found

    step = 'describe'
    const { size, checksums, storageClass, restore } = await bucket.head(listed.key, { signal })
    const isArchived = archives.has(storageClass ?? '') && !/ongoing-request="false"/.test(restore ?? '')
    found.object = { key: listed.key, checksums: Object.keys(checksums), isArchived }
    done.push(step)
    if (isArchived || size === 0) return found

    step = 'read'
    const { body } = await bucket.get(listed.key, { from: 0, to: 1, signal })
    for await (const _ of body);
    done.push(step)
    return found
  } catch (error) {
    if (signal?.aborted) return { ...found, failed: { step, reason: 'it gave no answer in time' } }
    if (!(error instanceof S3Error)) throw error
    return { ...found, failed: { step, reason: reasonOf(error) } }
  }
}

const archives = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/** Asks for the bucket itself. A right to that alone may be missing: what can be listed is asked next. */
const skewOf = async (bucket: S3Bucket, signal?: AbortSignal): Promise<number | undefined> => {
  try {
    const date = await bucket.send(
      { method: 'HEAD', signal },
      async (answer) => (await drain(answer)).headers.date,
    )
    return skewIn(Date.parse(date ?? ''))
  } catch (error) {
    if (!(error instanceof S3Error) || error.status !== 403) throw error
    return skewIn(error.hints.serverTime)
  }
}

/** Dates of HTTP have whole seconds, and an answer is under way for a while. */
const unnoticedMillis = 10_000

const skewIn = (serverTime: number | undefined): number | undefined => {
  if (serverTime === undefined || !Number.isFinite(serverTime)) return undefined
  const skew = serverTime - Date.now()
  return Math.abs(skew) < unnoticedMillis ? 0 : skew
}

/** Returns an object of the first page, one that has bytes where there is one. */
const firstBelow = async (
  bucket: S3Bucket,
  prefix: string,
  signal?: AbortSignal,
): Promise<ListedObject | undefined> => {
  for await (const { objects } of bucket.list({ prefix, signal }))
    return objects.find(({ size }) => size > 0) ?? objects[0]
  return undefined
}
