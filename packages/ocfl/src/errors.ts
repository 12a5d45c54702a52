/** An object is not as it was written; the message says what is wrong. */
export class DamagedObject extends Error {
  override readonly name: string = 'DamagedObject'
}

/** Bytes that an inventory lists are not there. */
export class MissingFile extends DamagedObject {
  override readonly name = 'MissingFile'
}

/** An inventory has digests of another algorithm than SHA-256. */
export class OtherDigests extends Error {
  override readonly name = 'OtherDigests'
}

/** The place of an object is taken by another one, or by something that is none. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken'
}

/** The folder cannot be used as a storage root; the message says why. */
export class StorageRootError extends Error {
  override readonly name = 'StorageRootError'
}

/** A version cannot be stored: a name, two files of one name, bytes that are not there. */
export class InvalidVersion extends Error {
  override readonly name = 'InvalidVersion'
}

/** Another version than the one that was asked for comes next. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  /** The last version that is there; 0 where there is no object. */
  readonly head: number

  constructor(head: number) {
    super(`the last version is ${head}`)
    this.head = head
  }
}
