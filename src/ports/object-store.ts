import type { Readable } from 'node:stream'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** A file of an object, by its name in the object: segments parted by `/`, none of them empty, `.` or `..`. */
export interface StoredFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A file whose bytes are to be stored. They stay where they are. */
export interface SourceFile extends StoredFile {
  /** Absolute path of the bytes, which nobody changes any more: the store may link to them. */
  readonly from: string
}

export interface NewVersion {
  /** The object's id, for example `ark:/99999/fk4abc`. */
  readonly object: string
  /** The version that the writer saw last; 0 where there was none. */
  readonly basedOn: number
  readonly files: AsyncIterable<SourceFile> | Iterable<SourceFile>
  /** Files of the version before that stay, where no new one has their name: `all`, but for those in `drop`. */
  readonly carry: 'none' | 'all'
  readonly drop?: readonly string[]
  readonly message: string
  readonly user: { readonly name: string; readonly address?: string }
  /** ISO 8601 UTC. With message and content it tells a repeat of this write from another one. */
  readonly created: string
}

export interface StoredVersion {
  readonly object: string
  /** From 1. */
  readonly version: number
  /** SHA-256 of the inventory, lower-case hex. */
  readonly inventoryDigest: string
  /** Of this version, those carried over included. */
  readonly files: number
  /** Bytes that this version added to the store. */
  readonly added: number
}

/** A copy of a whole object, beside the store. */
export interface SetAsideCopy {
  readonly object: string
  /** Absolute path. */
  readonly folder: string
}

/** A version as storage holds it. */
export interface HeldVersion {
  /** From 1. */
  readonly version: number
  /** SHA-256 of the inventory when this version was the last, lower-case hex; undefined where none of that time is kept. */
  readonly inventoryDigest: string | undefined
}

/** An object as storage holds it. */
export interface HeldObject {
  readonly object: string
  /** From the first on. */
  readonly versions: readonly HeldVersion[]
  /** Files below the object's folder that belong to no version; from that folder, sorted. */
  readonly strays: readonly string[]
}

/** An object that a listing came upon. */
export interface ListedObject {
  /** Where it is in the order of the listing: the next one begins after it. */
  readonly place: string
  /** Undefined where the object does not say so in a readable way. */
  readonly object: string | undefined
}

export type ObjectStoreFailure =
  /** Somebody wrote another version meanwhile. */
  | { readonly kind: 'Conflict'; readonly object: string; readonly head: number }
  /** What is to be stored cannot be: a name, two files of one name, bytes that are not there. */
  | { readonly kind: 'Invalid'; readonly object: string; readonly reason: string }
  /** What is stored is not as it was written. */
  | { readonly kind: 'Damaged'; readonly object: string; readonly reason: string }
  /** `isMachines`: its disk is full, may not be written to, …: see `machineFailure`. */
  | (Unavailable & { readonly isMachines?: true })

/** Objects in versions. A version that was stored never changes. */
export interface ObjectStore {
  /**
   * The next version. It is there as a whole, and on disk, before it is said to be stored; a process that is killed
   * leaves the store as it was. Writing the same again gives the version that is there.
   */
  write(version: NewVersion, signal?: AbortSignal): TaskEither<ObjectStoreFailure, StoredVersion>
  /** The last version; undefined where there is no such object. */
  head(object: string): TaskEither<ObjectStoreFailure, StoredVersion | undefined>
  /** Of the last version, or of that; undefined where there is none. */
  files(object: string, version?: number): TaskEither<ObjectStoreFailure, readonly StoredFile[] | undefined>
  /** The bytes of a file; undefined where there is none. */
  read(
    object: string,
    path: string,
    version?: number,
  ): TaskEither<ObjectStoreFailure, (StoredFile & { readonly open: () => Readable }) | undefined>
  /** All versions of an object, and what else lies there; undefined where there is no such object. */
  inspect(object: string): TaskEither<ObjectStoreFailure, HeldObject | undefined>
  /** Objects in the order of their places, after one; any text is a place to begin at. Fewer than `limit`: no more follow. */
  list(after: string, limit: number): TaskEither<ObjectStoreFailure, readonly ListedObject[]>
  /**
   * Takes the versions behind `keep` out of the store, all of the object where that is 0. A copy of the whole object is kept
   * beside the store first; its folder is given. Nothing to take out: undefined. May be done again: the copy is the same one.
   */
  setAside(object: string, keep: number): TaskEither<ObjectStoreFailure, string | undefined>
  /** Copies that were set aside, of that object or of all, the oldest head first. */
  aside(object?: string): TaskEither<ObjectStoreFailure, readonly SetAsideCopy[]>
  close(): Promise<void>
}
