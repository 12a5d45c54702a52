import { isRight } from 'fp-ts/lib/Either.js'
import { bucketNotified, keyOfNotification, type ObjectChange } from '../kernel/bucket-notification.ts'
import type { TopicSpec } from '../kernel/message.ts'
import { type ArchiveFile, FileName, Location } from './file.ts'
import { isOpenArchive, isUnfinished } from './kind.ts'
import type { Place } from './place.ts'

/** A repository whose files are in a bucket: `s3://bucket`, or `s3://bucket/prefix`. */
export interface BucketSource {
  readonly repository: string
  readonly location: string
}

interface SightedObject {
  readonly file: ArchiveFile
  readonly place: Place
}

/**
 * Returns the files that a new object is in these repositories; none for an object that a walk of the bucket leaves out.
 * Nothing follows from a deletion (W4).
 */
export const filesOf = (
  { bucket, key, isDeleted, size }: ObjectChange,
  sources: readonly BucketSource[],
): readonly SightedObject[] => {
  if (isDeleted) return []
  const location = `s3://${bucket}/${key}`
  return sources.flatMap((source) => {
    const below = `${source.location.replace(/\/+$/, '')}/`
    const path = location.startsWith(below) ? location.slice(below.length) : ''
    const name = FileName.decode(path.slice(path.lastIndexOf('/') + 1))
    return isRight(name) && isRight(Location.decode(location)) && isListed(path)
      ? [
          {
            file: { repository: source.repository, name: name.right },
            place: { location, ...(size !== undefined && { size }) },
          },
        ]
      : []
  })
}

/** True for the path of a file that a walk shows. */
export const isListed = (path: string): boolean => {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  const isPath = folders.every((folder) => !/^\.{0,2}$/.test(folder))
  return isPath && !folders.some(isUnfinished) && (!isUnfinished(name) || isOpenArchive(name))
}

export const bucketEventsTopic = {
  name: 'fonds.indexing.bucket-events',
  description:
    'Notifications of object storage as AWS S3, MinIO and Ceph send them: what was uploaded below a bucket of FONDS_INDEXING_SOURCES is sighted.',
  bareType: 'bucket.notified',
  messages: [bucketNotified],
  keyOf: keyOfNotification,
} as const satisfies TopicSpec
