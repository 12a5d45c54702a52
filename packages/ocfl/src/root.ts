/* StorageRoot in a storage root. Calls block: they are made by threads that do nothing else. */

export {
  openStorageRoot,
  type StorageRoot,
  type StorageRootOptions,
  type WriteOptions,
} from './root/objects.ts'
export { leaveStaging, type StagingLimits } from './root/staging.ts'
