import type { S3Bucket } from '../../s3/bucket.ts'
import type { ClaimRules } from './claims.ts'
import type { BucketLocation } from './location.ts'

/** The place that a store is, opened. */
export interface BucketRoot extends Pick<BucketLocation, 'prefix'> {
  readonly bucket: S3Bucket
  readonly rules?: ClaimRules | undefined
  /** The version of each key that is meant; absent: the current one. */
  readonly versionId?: string | undefined
}
