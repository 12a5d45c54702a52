import * as E from 'fp-ts/lib/Either.js'
import { bucketNotified, keyOfNotification, type ObjectChange } from '../kernel/bucket-notification.ts'
import type { TopicSpec } from '../kernel/message.ts'
import { type Item, Path } from './item.ts'

interface StoreInBucket {
  readonly store: string
  /** `s3://bucket/prefix`. */
  readonly root: string
}

/** Returns the items that an object is in these stores; none where its key is no path below their root. */
export const itemsOf = (
  { bucket, key }: Pick<ObjectChange, 'bucket' | 'key'>,
  stores: readonly StoreInBucket[],
): readonly Item[] =>
  stores.flatMap(({ store, root }) => {
    const below = `${root.replace(/\/+$/, '')}/`
    const address = `s3://${bucket}/${key}`
    const path = Path.decode(address.startsWith(below) ? address.slice(below.length) : undefined)
    return E.isRight(path) ? [{ store, path: path.right }] : []
  })

export const bucketEventsTopic = {
  name: 'fonds.fixity.bucket-events',
  description:
    'Notifications of object storage as AWS S3, MinIO and Ceph send them: what was uploaded or deleted in the bucket of a store is checked.',
  bareType: 'bucket.notified',
  messages: [bucketNotified],
  keyOf: keyOfNotification,
} as const satisfies TopicSpec
