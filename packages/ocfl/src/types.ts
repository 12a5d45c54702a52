/** A file of an object by its name there: segments separated by `/`, none of them empty, `.` or `..`. */
export interface StoredFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** A file whose bytes are to be stored. They stay in place. */
export interface SourceFile extends StoredFile {
  /**
   * Absolute path of the bytes, which must not change any more: they may be linked to. Or a staged file of the root's
   * bucket, which becomes the object's. Or the bytes themselves, which roots in buckets alone take.
   */
  readonly from: string | InBucket | InMemory
}

/** Bytes at hand, which must not change any more. */
export interface InMemory {
  readonly bytes: Uint8Array
}

/** Bytes that a stage took in. */
export interface InBucket {
  /** Key of the bytes. */
  readonly key: string
  /** Key of the stage's record. */
  readonly record: string
}

/** A file whose bytes are in the bucket, or at hand, before a version names them. */
export interface StagedFile extends StoredFile {
  readonly from: InBucket | InMemory
}

export interface NewVersion {
  /** The object's id, for example `ark:/99999/fk4abc`. */
  readonly object: string
  /** The last version that the writer saw; 0 if there was none. */
  readonly basedOn: number
  readonly files: readonly SourceFile[]
  /** Files of the version before to keep, unless a new one has their name: `all`, except those in `drop`. */
  readonly carry: 'none' | 'all'
  readonly drop?: readonly string[]
  readonly message: string
  readonly user: { readonly name: string; readonly address?: string }
  /** ISO 8601 UTC. With message and content it distinguishes a repeat of this write from another one. */
  readonly created: string
}

export interface StoredVersion {
  readonly object: string
  /** From 1. */
  readonly version: number
  /** SHA-256 of the inventory, lower-case hex. */
  readonly inventoryDigest: string
  /** Number of files of this version, including those carried over. */
  readonly files: number
  /** Bytes that this version added to the root. */
  readonly added: number
}

/** A copy of a whole object, beside the root. */
export interface SetAsideCopy {
  readonly object: string
  /** Absolute path. */
  readonly folder: string
}

/** A version as the object's folder has it. */
export interface HeldVersion {
  /** From 1. */
  readonly version: number
  /**
   * SHA-256 of the inventory when this version was the last, lower-case hex; undefined if none of that time
   * is kept.
   */
  readonly inventoryDigest: string | undefined
}

/** An object as its folder has it. */
export interface HeldObject {
  readonly object: string
  /** From the first on. */
  readonly versions: readonly HeldVersion[]
  /** Files below the object's folder that belong to no version; from that folder, sorted. */
  readonly strays: readonly string[]
}

/** An object in a listing. */
export interface ListedObject {
  /** Its folder below the root, by which the listing is ordered; the next page begins after it. */
  readonly place: string
  /** Undefined if the object's id cannot be read. */
  readonly object: string | undefined
}

/** A file beside the content that the writer of a version made. */
export interface RecordFile {
  /** From the object's folder. */
  readonly place: string
  /** Lower-case hex: of the text that was written. */
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

/** Files that a version brought into the object's folder. Earlier versions' bytes are not among them. */
export interface AddedVersion {
  readonly object: string
  readonly version: number
  /** The object's folder, from the root. */
  readonly folder: string
  /** Content; `place` is from the object's folder. */
  readonly files: readonly { readonly place: string; readonly sha256: string }[]
  /** The version's own inventory and its sidecar. */
  readonly records: readonly RecordFile[]
  /** Inventory, sidecar and declaration at the top of the object, as they are while this version is the last. */
  readonly shared: readonly RecordFile[]
}
