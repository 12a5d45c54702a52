/* Storage roots on disk. Calls block: they are for threads that do nothing else. */

export {
  openStorageRoot,
  type StorageRoot,
  type StorageRootOptions,
  type WriteOptions,
} from './root/objects.ts'
export { leaveStaging, type StagingLimits } from './root/staging.ts'
