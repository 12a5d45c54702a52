/** An object differs from how it was written; the message says in what. */
export class DamagedObject extends Error {
  override readonly name: string = 'DamagedObject'
}

/** Bytes that an inventory lists are missing. */
export class MissingFile extends DamagedObject {
  override readonly name = 'MissingFile'
}

/** An inventory uses another digest algorithm than SHA-256. */
export class OtherDigests extends Error {
  override readonly name = 'OtherDigests'
}

/** The place of an object is taken by another object, or by something else. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken'
}

/** The folder cannot be used as a storage root; the message says why. */
export class StorageRootError extends Error {
  override readonly name = 'StorageRootError'
}

/** A version cannot be stored: because of a name, two files of one name, or missing bytes. */
export class InvalidVersion extends Error {
  override readonly name = 'InvalidVersion'
}

/** The version that was requested is not the next one. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  /** The last version; 0 if there is no object. */
  readonly head: number

  constructor(head: number) {
    super(`the last version is ${head}`)
    this.head = head
  }
}
