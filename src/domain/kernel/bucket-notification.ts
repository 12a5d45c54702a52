import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import { messageSpec } from './message.ts'

/*
 * Notifications of object storage, as it sends them: AWS S3, MinIO, Ceph and others in the form of S3's event messages,
 * and AWS by EventBridge.
 */

const Bucket = t.type({ name: Text })

/** The size is missing where an object was removed, and from some servers; Ceph sends it as text. */
const StoredObject = t.intersection([
  t.type({ key: Text }),
  t.partial({ size: t.union([t.number, t.string]) }),
])

const S3Record = t.intersection([
  t.type({
    eventName: Text,
    eventTime: Time,
    s3: t.type({ bucket: Bucket, object: StoredObject }),
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
    detail: t.type({ bucket: Bucket, object: StoredObject }),
  },
  'EventBridge event',
)

/** One of these, decoded. */
export const Notification = t.union([S3Notification, TestEvent, EventBridgeEvent], 'bucket notification')
export type Notification = t.TypeOf<typeof Notification>

/** An object that was created, overwritten or removed. */
export interface ObjectChange {
  readonly bucket: string
  readonly key: string
  readonly isDeleted: boolean
  /** Bytes, if the storage says so. */
  readonly size?: number
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
    : [{ bucket: detail.bucket.name, key: detail.object.key, isDeleted, at, ...sizeIn(detail.object) }]
}

const sizeIn = ({ size }: t.TypeOf<typeof StoredObject>): Pick<ObjectChange, 'size'> =>
  /^\d{1,15}$/.test(String(size)) ? { size: Number(size) } : {}

const bridged: Readonly<Record<string, boolean>> = { 'Object Created': false, 'Object Deleted': true }

const changeOf = ({ eventName, eventSource, eventTime: at, s3 }: S3Record): readonly ObjectChange[] => {
  const isDeleted = isDeletedAfter(eventName)
  const key = eventSource === 'ceph:s3' ? s3.object.key : formDecoded(s3.object.key)
  return isDeleted === undefined || key === undefined
    ? []
    : [{ bucket: s3.bucket.name, key, isDeleted, at, ...sizeIn(s3.object) }]
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

export const bucketNotified = messageSpec('bucket.notified', 'Objects of a bucket changed.', Notification, {
  Records: [
    {
      eventSource: 'aws:s3',
      eventName: 'ObjectCreated:Put',
      eventTime: '2026-01-31T12:00:00.000Z',
      s3: { bucket: { name: 'archive' }, object: { key: 'main/letters/1912/03.tif' } },
    },
  ],
})

/** The key of its message: that of the first change. */
export const keyOfNotification = (data: unknown): string => {
  const [first] = changesIn(data as Notification)
  return first ? `${first.bucket}/${first.key}` : 'bucket'
}
