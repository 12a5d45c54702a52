/* Storage roots in buckets, reached by any client that can do what `Bucket` asks. */

export {
  type Bucket,
  type BucketObject,
  ConditionFailed,
  type Conditions,
  ConditionUnknown,
  type OpenUpload,
  putIfMissing as keepFirst,
  readText,
  type Upload,
} from './bucket/bucket.ts'
export { foreignEtag, refusesWrite } from './bucket/conditions.ts'
export type { Guard } from './bucket/guard.ts'
export type { JournalLimits } from './bucket/journals.ts'
export { type BucketRoot, type BucketRootOptions, openBucketRoot } from './bucket/objects.ts'
export type { PutLimits } from './bucket/put-content.ts'
export { ensureBucketRoot, readBucketLayout } from './bucket/root.ts'
export type { Stage, StagedIntake } from './bucket/stages.ts'
export type { Swept } from './bucket/sweep.ts'
