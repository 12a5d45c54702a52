import { isBeneathBuckets } from '../kernel/bucket-address.ts'
import { bucketNotified, keyOfNotification, type ObjectChange } from '../kernel/bucket-notification.ts'
import type { TopicSpec } from '../kernel/message.ts'

/** Returns those of the places, `s3://bucket/prefix`, that have a new object. Nothing follows from a deletion. */
export const placesWith = (
  { bucket, key, isDeleted }: ObjectChange,
  places: readonly string[],
): readonly string[] =>
  isDeleted ? [] : places.filter((place) => isBeneathBuckets(`s3://${bucket}/${key}`, [place]))

export const bucketEventsTopic = {
  name: 'fonds.ingest.bucket-events',
  description:
    'Notifications of object storage as AWS S3, MinIO and Ceph send them: a prefix of FONDS_INGEST_DROPS below which something was uploaded is listed at once.',
  bareType: 'bucket.notified',
  messages: [bucketNotified],
  keyOf: keyOfNotification,
} as const satisfies TopicSpec
