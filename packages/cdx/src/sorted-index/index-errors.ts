/** A valid call that cannot be served now and may succeed later. The message says what is in its way. */
export class IndexUnavailable extends Error {
  override readonly name = 'IndexUnavailable'
}

/** A file of the index is invalid. The message names it, and says what a person has to do. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex'
}
