import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { type Item, Path } from './item.ts'

/*
 * Notifications of object storage, as it sends them: AWS S3, MinIO, Ceph and others in the form of S3's event messages,
 * and AWS by EventBridge.
 */

const Bucket = t.type({ name: Text })

const S3Record = t.intersection([
  t.type({
    eventName: Text,
    eventTime: Time,
    s3: t.type({ bucket: Bucket, object: t.type({ key: Text }) }),
  }),
  t.partial({ eventSource: t.string }),
])
type S3Record = t.TypeOf<typeof S3Record>

const S3Notification = t.type({ Records: t.array(S3Record) }, 'S3 notification')

/** AWS sends it once, when notifications are set up. */
const TestEvent = t.type({ Event: t.literal('s3:TestEvent'), Bucket: Text }, 'S3 test event')

const EventBridgeEvent = t.type(
  {
    source: t.literal('aws.s3'),
    'detail-type': Text,
    time: Time,
    detail: t.type({ bucket: Bucket, object: t.type({ key: Text }) }),
  },
  'EventBridge event',
)

const Notification = t.union([S3Notification, TestEvent, EventBridgeEvent], 'bucket notification')
export type Notification = t.TypeOf<typeof Notification>

/** An object that was created, overwritten or removed. */
export interface ObjectChange {
  readonly bucket: string
  readonly key: string
  readonly isDeleted: boolean
  /** By the storage's clock. */
  readonly at: string
}

/** Returns the changes of a notification; others, such as new tags, change no bytes and are left out. */
export const changesIn = (notification: Notification): readonly ObjectChange[] => {
  if (S3Notification.is(notification)) return notification.Records.flatMap(changeOf)
  if (TestEvent.is(notification)) return []
  const { 'detail-type': kind, time: at, detail } = notification
  const isDeleted = bridged[kind]
  return isDeleted === undefined
    ? []
    : [{ bucket: detail.bucket.name, key: detail.object.key, isDeleted, at }]
}

const bridged: Readonly<Record<string, boolean>> = { 'Object Created': false, 'Object Deleted': true }

const changeOf = ({ eventName, eventSource, eventTime: at, s3 }: S3Record): readonly ObjectChange[] => {
  const isDeleted = isDeletedAfter(eventName)
  const key = eventSource === 'ceph:s3' ? s3.object.key : formDecoded(s3.object.key)
  return isDeleted === undefined || key === undefined ? [] : [{ bucket: s3.bucket.name, key, isDeleted, at }]
}

/** AWS names events without `s3:`, MinIO with it, Ceph by its release. */
const isDeletedAfter = (eventName: string): boolean | undefined => {
  const name = eventName.replace(/^s3:/, '')
  if (/^(ObjectCreated|ObjectSynced|ObjectRestore:Completed)/.test(name)) return false
  return /^(ObjectRemoved|LifecycleExpiration|ObjectLifecycle:Expiration:(Current|DeleteMarker))/.test(name)
    ? true
    : undefined
}

/** AWS and MinIO encode keys as forms do: `+` is a blank. Ceph sends them as they are. */
const formDecoded = (key: string): string | undefined => {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

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
  messages: [
    messageSpec('bucket.notified', 'Objects of a bucket changed.', Notification, {
      Records: [
        {
          eventSource: 'aws:s3',
          eventName: 'ObjectCreated:Put',
          eventTime: '2026-01-31T12:00:00.000Z',
          s3: { bucket: { name: 'archive' }, object: { key: 'main/letters/1912/03.tif' } },
        },
      ],
    }),
  ],
  keyOf: (data) => {
    const [first] = changesIn(data as Notification)
    return first ? `${first.bucket}/${first.key}` : 'bucket'
  },
} as const satisfies TopicSpec
