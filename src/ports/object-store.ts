import type { Readable } from 'node:stream'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** A file of an object, by its name in the object: segments separated by `/`, none of them empty, `.` or `..`. */
export interface StoredFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A file whose bytes are to be stored. They stay where they are. */
export interface SourceFile extends StoredFile {
  /** Absolute path of the bytes, which never change again: the store may link to them. */
  readonly from: string
}

export interface NewVersion {
  /** The object's id, for example `ark:/99999/fk4abc`. */
  readonly object: string
  /** The version that the writer read last; 0 if there was none. */
  readonly basedOn: number
  readonly files: AsyncIterable<SourceFile> | Iterable<SourceFile>
  /** Files of the previous version that stay, unless a new one has their name: `all`, except those in `drop`. */
  readonly carry: 'none' | 'all'
  readonly drop?: readonly string[]
  readonly message: string
  readonly user: { readonly name: string; readonly address?: string }
  /** ISO 8601 UTC. With message and content it identifies a repeat of this write. */
  readonly created: string
}

export interface StoredVersion {
  readonly object: string
  /** From 1. */
  readonly version: number
  /** SHA-256 of the inventory, lower-case hex. */
  readonly inventoryDigest: string
  /** Files of this version, those carried over included. */
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
  /** SHA-256 of the inventory when this version was the last, lower-case hex; undefined if that inventory is not kept. */
  readonly inventoryDigest: string | undefined
}

/** An object as storage holds it. */
export interface HeldObject {
  readonly object: string
  /** The oldest first. */
  readonly versions: readonly HeldVersion[]
  /** Files below the object's folder that belong to no version: paths relative to that folder, sorted. */
  readonly strays: readonly string[]
}

/** An object found by a listing. */
export interface ListedObject {
  /** Its place in the order of the listing: the next one begins after it. */
  readonly place: string
  /** Undefined if the object's id cannot be read. */
  readonly object: string | undefined
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
   * Writes the next version. It is complete and on disk before this resolves; a process that is killed leaves the store
   * unchanged. Writing the same again returns the existing version.
   */
  write(version: NewVersion, signal?: AbortSignal): TaskEither<ObjectStoreFailure, StoredVersion>
  /** The last version; undefined where there is no such object. */
  head(object: string): TaskEither<ObjectStoreFailure, StoredVersion | undefined>
  /** Files of the last version, or of the given one; undefined if there is none. */
  files(object: string, version?: number): TaskEither<ObjectStoreFailure, readonly StoredFile[] | undefined>
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
  close(): Promise<void>
}
