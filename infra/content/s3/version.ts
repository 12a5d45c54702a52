import type { ContentStore } from '../../../src/ports/content-store.ts'
import { openBucket } from '../../s3/bucket.ts'
import type { ContentSettings } from '../open-content.ts'
import { locationOf } from './location.ts'
import { storeAt } from './store.ts'

/**
 * One version of the objects at `s3://bucket/prefix`, current or not. A version that is a delete marker is `Refused`, one
 * that is not there `NotFound`. Throws `ContentRootError`.
 */
export const openVersion = (
  address: string,
  versionId: string,
  { s3, claims }: ContentSettings = {},
): Pick<ContentStore, 'stat' | 'read'> => {
  const { bucket, prefix } = locationOf(address)
  return storeAt({ bucket: openBucket(bucket, { ...s3, root: address }), prefix, rules: claims, versionId })
}
