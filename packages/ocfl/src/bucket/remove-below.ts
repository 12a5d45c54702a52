import { type Bucket, keysBelow } from './bucket.ts'

/** Aborts the uploads below a prefix, and deletes its keys but for those that stay. */
export const removeBelow = async (
  bucket: Bucket,
  prefix: string,
  stays: (key: string) => boolean = () => false,
): Promise<void> => {
  for (const upload of await bucket.uploads(prefix)) await bucket.abortUpload(upload)
  for (const { key } of await keysBelow(bucket, prefix)) if (!stays(key)) await bucket.delete(key)
}
