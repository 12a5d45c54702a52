import type { Readable } from 'node:stream'
import type {
  AddedVersion,
  HeldObject,
  HeldVersion,
  ListedObject,
  NewVersion as NewOcflVersion,
  SetAsideCopy,
  SourceFile,
  StagedFile,
  StoredFile,
  StoredVersion,
} from '@fonds/ocfl'
import type { Stage, StagedIntake, Swept } from '@fonds/ocfl/bucket'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

export type {
  AddedVersion,
  HeldObject,
  HeldVersion,
  ListedObject,
  SetAsideCopy,
  SourceFile,
  Stage,
  StagedFile,
  StagedIntake,
  StoredFile,
  StoredVersion,
  Swept,
}

/** The next version of an object. Its files may be many, and come one by one. */
export interface NewVersion extends Omit<NewOcflVersion, 'files'> {
  readonly files: AsyncIterable<SourceFile> | Iterable<SourceFile>
}

export type ObjectStoreFailure =
  /** Another writer stored a version meanwhile. */
  | { readonly kind: 'Conflict'; readonly object: string; readonly head: number }
  /** The version cannot be stored: an invalid name, two files of one name, missing bytes. */
  | { readonly kind: 'Invalid'; readonly object: string; readonly reason: string }
  /** The stored content is not as it was written. */
  | { readonly kind: 'Damaged'; readonly object: string; readonly reason: string }
  /** `isMachines`: a failure of the machine, such as a full or read-only disk: see `machineFailure`. */
  | (Unavailable & { readonly isMachines?: true })

/** Versioned objects. A stored version never changes. */
export interface ObjectStore {
  /**
   * Writes the next version. It is complete, and stored for good, before this resolves; no reader sees any of it before
   * all of it is stored. Whatever a killed process leaves is removed or finished when the store is opened next, and no
   * reader sees that either. Writing the same again returns the existing version.
   */
  write(version: NewVersion, signal?: AbortSignal): TaskEither<ObjectStoreFailure, StoredVersion>
  /** The last version; undefined where there is no such object. */
  head(object: string): TaskEither<ObjectStoreFailure, StoredVersion | undefined>
  /** Files of the last version, or of the given one; undefined if there is none. */
  files(object: string, version?: number): TaskEither<ObjectStoreFailure, readonly StoredFile[] | undefined>
  /**
   * Files that a version brought into the object's folder, by the inventory with that digest; undefined if there is no such
   * object. `Damaged`: it has no such inventory.
   */
  added(
    object: string,
    version: number,
    inventoryDigest: string,
  ): TaskEither<ObjectStoreFailure, AddedVersion | undefined>
  /** The bytes of a file; undefined where there is none. */
  read(
    object: string,
    path: string,
    version?: number,
  ): TaskEither<ObjectStoreFailure, (StoredFile & { readonly open: () => Readable }) | undefined>
  /** All versions of an object, and stray files; undefined if there is no such object. */
  inspect(object: string): TaskEither<ObjectStoreFailure, HeldObject | undefined>
  /**
   * Lists objects in the order of their places, after a place; any text will do as one. Fewer than `limit`: no more
   * follow.
   */
  list(after: string, limit: number): TaskEither<ObjectStoreFailure, readonly ListedObject[]>
  /**
   * Removes the versions behind `keep` from the store; all of the object if that is 0. First copies the whole object
   * beside the store, and returns the copy's folder; undefined if there is nothing to remove. May be repeated: the copy
   * is the same one.
   */
  setAside(object: string, keep: number): TaskEither<ObjectStoreFailure, string | undefined>
  /** Copies that were set aside, of that object or of all, the oldest head first. */
  aside(object?: string): TaskEither<ObjectStoreFailure, readonly SetAsideCopy[]>
  /**
   * Ends what killed processes left, gives up uploads that nobody holds, and finds what belongs to no object. Absent:
   * opening the store does all of that.
   */
  sweep?(): TaskEither<ObjectStoreFailure, Swept>
  /** Absent: bytes come with their version alone. */
  readonly stages?: Stages
  close(): Promise<void>
}

/**
 * Takes bytes in before the version that names them, to where they will stay: nobody sees them until then. They are kept
 * beyond this process, until a version has adopted them or they are removed. Throws `UnavailableError`.
 */
export interface Stages {
  /** `id`: of the work that they are for, letters, digits, `-` and `_`. The version after `basedOn` is expected to name them. */
  open(of: { readonly id: string; readonly object: string; readonly basedOn: number }): Promise<Stage>
  /** Whole files that were taken in for that work. Those of a version go as they are into its `files`. */
  files(id: string): Promise<readonly StagedFile[]>
  /** Ids of all work that bytes were taken in for. */
  ids(): Promise<readonly string[]>
  /** Removes them; false while a version adopts them. May be repeated. */
  remove(id: string): Promise<boolean>
}
