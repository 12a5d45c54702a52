/**
 * Reason why a file cannot be indexed. `growing` is no fault of the file: it changed meanwhile, and is read
 * again later.
 */
export type ReadFailureCode =
  | 'empty'
  | 'truncated'
  | 'corrupt'
  | 'not-per-record'
  | 'not-an-archive'
  | 'not-found'
  | 'unreadable'
  | 'growing'

export interface ReadFailure {
  readonly code: ReadFailureCode
  /** A sentence for a person. */
  readonly reason: string
  /** Offset in the file of the record or member that cannot be read. */
  readonly offset?: number
}

/** Thrown within the reader; `readArchive` turns it into a value. */
export class UnreadableArchive extends Error {
  override readonly name = 'UnreadableArchive'
  readonly failure: ReadFailure

  constructor(code: ReadFailureCode, reason: string, offset?: number) {
    super(reason)
    this.failure = { code, reason, ...(offset !== undefined && { offset }) }
  }
}
