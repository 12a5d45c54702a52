import type { S3Bucket } from '../../s3/bucket.ts'
import { invalidAnswer, S3Error } from '../../s3/errors.ts'

/** Keys that are deleted at once. */
const sideBySide = 16

/**
 * Deletes all below a prefix: uploads that are incomplete, keys, then their versions, where the bucket keeps versions and
 * lets us. Throws `S3Error`.
 */
export const removeForGood = async (s3: S3Bucket, prefix: string): Promise<void> => {
  for await (const upload of s3.uploads({ prefix })) await s3.abortUpload(upload)
  for await (const { objects } of s3.list({ prefix })) {
    const [kept] = await s3.deleteAll(objects.map(({ key }) => key))
    if (kept) throw invalidAnswer(s3.name, `${kept.key} is not deleted: ${kept.code} ${kept.message}`)
  }
  try {
    await removeVersions(s3, prefix)
  } catch (error) {
    if (!(error instanceof S3Error) || ![403, 405, 501].includes(error.status)) throw error
  }
}

/** Those of a key one after the other, the marker of its deletion last: some servers make a version current meanwhile. */
const removeVersions = async (s3: S3Bucket, prefix: string): Promise<void> => {
  for await (const page of s3.versions({ prefix })) {
    const keys = [...Map.groupBy(page.toReversed(), ({ key }) => key).values()]
    for (let at = 0; at < keys.length; at += sideBySide)
      await Promise.all(
        keys.slice(at, at + sideBySide).map(async (versions) => {
          for (const { key, versionId } of versions) await s3.delete(key, { versionId })
        }),
      )
  }
}
