import type { ContentStore } from '../../../src/ports/content-store.ts'
import { openBucket } from '../../s3/bucket.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { checkPath } from '../path.ts'
import type { ClaimRules } from './claims.ts'
import { entryOf } from './entry.ts'
import { attempt } from './failure.ts'
import { head } from './head.ts'
import { list, listOne, names } from './list.ts'
import type { BucketLocation } from './location.ts'
import { readObject } from './read.ts'
import type { BucketRoot } from './root.ts'
import { writeObject } from './write.ts'

/**
 * Content as the objects of a bucket below a prefix. Keys that are no path by the port's rules (`a//b`, `/a`, `a/./b`,
 * `a/`) are listed as skipped. A bucket that is not there, or does not answer, is never content that is missing.
 */
export const createBucketStore = (
  { bucket: name, prefix }: BucketLocation,
  settings: S3Settings = {},
  rules?: ClaimRules,
): ContentStore => {
  const root: BucketRoot = { bucket: openBucket(name, settings), prefix, rules }
  return storeAt(root)
}

export const storeAt = (root: BucketRoot): ContentStore => {
  const { bucket, prefix, rules } = root
  return {
    list: (folder) => list(root, folder),
    folder: (path) => listOne(root, path),
    names: (folder) => names(root, folder),
    stat: (path) =>
      attempt(path, async () => {
        checkPath(path)
        return entryOf(path, await head(root, prefix + path), rules)
      }),
    read: (path, options, onChunk) =>
      attempt(path, async () => {
        checkPath(path)
        return readObject(root, path, options, onChunk)
      }),
    write: (path, bytes) =>
      attempt(path, async () => {
        checkPath(path)
        const { versionId } = await writeObject(bucket, prefix + path, bytes)
        return entryOf(path, await head(root, prefix + path, { versionId }), rules)
      }),
    delete: (path) =>
      attempt(path, async () => {
        checkPath(path)
        await head(root, prefix + path)
        await bucket.delete(prefix + path)
      }),
  }
}
