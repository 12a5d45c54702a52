import { discard } from '../../s3/answer.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Object } from '../../s3/objects.ts'
import type { BucketRoot } from './root.ts'

/**
 * HEAD, whose failures have no code: GET then tells whether it is the key that is missing, or the bucket, or a proxy
 * that answers for them, and why access is refused. Throws `S3Error`: `NoSuchKey` alone means that the content is not
 * there.
 */
export const head = async (
  { bucket, versionId }: BucketRoot,
  key: string,
  given: { readonly versionId?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<S3Object> => {
  const options = { versionId, ...given }
  try {
    return await bucket.head(key, options)
  } catch (error) {
    if (!(error instanceof S3Error) || !withoutCode.has(error.code)) throw error
  }
  const { object, body } = await bucket.get(key, options)
  await discard(body)
  return object
}

const withoutCode = new Set(['HTTP400', 'HTTP403', 'HTTP404', 'HTTP405'])

/** Throws `S3Error` where that cannot be found out. */
export const isMissing = async (root: BucketRoot, key: string): Promise<boolean> => {
  try {
    await head(root, key)
    return false
  } catch (error) {
    if (error instanceof S3Error && error.code === 'NoSuchKey') return true
    throw error
  }
}
