import {
  type Bucket,
  type BucketObject,
  ConditionFailed,
  type Conditions,
  ConditionUnknown,
} from '@fonds/ocfl/bucket'
import type { S3Bucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { Part } from '../../s3/multipart.ts'
import type { ListedObject } from '../../s3/objects.ts'
import type { ObjectVersion } from '../../s3/versions.ts'

/** A bucket of S3 as storage roots use it. */
export const bucketOf = (s3: S3Bucket): Bucket => {
  // Learnt from the first write, which comes before each deletion.
  let keepsVersions = false
  return {
    list: async function* (prefix, after) {
      for await (const { objects } of s3.list({ prefix, ...(after !== undefined && { startAfter: after }) }))
        yield objects.map(asObject)
    },
    head: (key) => ifThere(async () => asObject(await s3.head(key))),
    get: (key) =>
      ifThere(async () => {
        const { object, body } = await s3.get(key)
        return { object: asObject(object), body }
      }),
    put: (key, bytes, conditions = {}) =>
      conditional(conditions, async () => {
        const { etag, versionId } = await s3.put(key, bytes, conditions)
        keepsVersions ||= versionId !== undefined
        return etag
      }),
    upload: async (key) => {
      const upload = await s3.createUpload(key)
      const parts: Part[] = []
      return {
        part: async (number, bytes) => void parts.push(await s3.uploadPart(upload, number, bytes)),
        complete: async () => {
          const inOrder = parts.toSorted((one, other) => one.number - other.number)
          await s3.completeUpload(upload, inOrder)
        },
        abort: () => s3.abortUpload(upload),
      }
    },
    uploads: async (prefix) => {
      const found: { key: string; id: string }[] = []
      for await (const { key, uploadId } of s3.uploads({ prefix })) found.push({ key, id: uploadId })
      return found
    },
    abortUpload: ({ key, id }) => s3.abortUpload({ key, uploadId: id }),
    delete: (key) => (keepsVersions ? deleteForGood(s3, key) : s3.delete(key)),
  }
}

/**
 * Deletes all versions of a key, that which is read the last: at each moment the key is there as it was, or gone. A marker
 * would stay of a deletion without a version, over which some servers write no new object under `If-None-Match`, and whose
 * folders some list. Where versions are locked, or no policy lets us delete them, it stays.
 */
const deleteForGood = async (s3: S3Bucket, key: string): Promise<void> => {
  const versions = await versionsOf(s3, key)
  const [read, ...others] = versions.toSorted((one, other) => Number(other.isLatest) - Number(one.isLatest))
  try {
    for (const { versionId } of [...others.toReversed(), ...(read ? [read] : [])])
      await s3.delete(key, { versionId })
  } catch (error) {
    if (!(error instanceof S3Error) || error.status !== 403) throw error
    await s3.delete(key)
  }
}

/** All versions and markers of a key, the newest first. */
const versionsOf = async (s3: S3Bucket, key: string): Promise<readonly ObjectVersion[]> => {
  const found: ObjectVersion[] = []
  for await (const page of s3.versions({ prefix: key })) {
    const own = page.filter((version) => version.key === key)
    found.push(...own)
    if (own.length < page.length) break
  }
  return found
}

const asObject = ({ key, size, etag, modifiedAt }: ListedObject): BucketObject => ({
  key,
  size,
  etag,
  modifiedAt: Date.parse(modifiedAt),
})

/** Answers to HEAD have no code: a bucket that is missing is noticed by other calls. */
const ifThere = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket') return undefined
    throw error
  }
}

const conditional = async <A>({ ifMatch, ifNoneMatch }: Conditions, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    const isMissing = ifMatch !== undefined && error.status === 404 && error.code !== 'NoSuchBucket'
    if (error.status === 412 || error.code === 'ConditionalRequestConflict' || isMissing)
      throw new ConditionFailed(error.message, { cause: error })
    if (error.status === 501 && (ifMatch ?? ifNoneMatch) !== undefined)
      throw new ConditionUnknown(error.message, { cause: error })
    throw error
  }
}
