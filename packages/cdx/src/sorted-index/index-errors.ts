/** Nothing is wrong with what was asked: the same call may go well later. The message says what is in its way. */
export class IndexUnavailable extends Error {
  override readonly name = 'IndexUnavailable'
}

/** A file of the index is not what an index has. The message names it, and says what a person has to do. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex'
}
