/* Objects in a storage root. Calls block: they are made by threads that do nothing else. */

export { type Objects, openObjects, type RootSettings, type WriteOptions } from './root/objects.ts'
export { leaveStaging, type StagingLimits } from './root/staging.ts'
