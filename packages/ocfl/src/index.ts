/*
 * Inventories of OCFL 1.1 objects, and types of versions. Nothing here does I/O: `@fonds/ocfl/root` opens
 * storage roots.
 */

export {
  DamagedObject,
  InvalidVersion,
  MissingFile,
  OtherDigests,
  PlaceTaken,
  StorageRootError,
  VersionConflict,
} from './errors.ts'
export {
  asInventory,
  asOf,
  contentOf,
  type Files,
  type Inventory,
  type NewContent,
  type NextVersion,
  nextInventory,
  stateOf,
  type Version,
  versionName,
  versionNumber,
} from './inventory.ts'
export type {
  AddedVersion,
  HeldObject,
  HeldVersion,
  InBucket,
  InMemory,
  ListedObject,
  NewVersion,
  RecordFile,
  SetAsideCopy,
  SourceFile,
  StagedFile,
  StoredFile,
  StoredVersion,
} from './types.ts'
