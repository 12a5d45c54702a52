/** Why a file cannot be indexed. `growing` is no fault of the file: it did not stand still, and is read again later. */
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
  /** Byte of the file: where the record or the member begins that cannot be read. */
  readonly offset?: number
}

/** Thrown within the reader; `readArchive` makes a value of it. */
export class UnreadableArchive extends Error {
  override readonly name = 'UnreadableArchive'
  readonly failure: ReadFailure

  constructor(code: ReadFailureCode, reason: string, offset?: number) {
    super(reason)
    this.failure = { code, reason, ...(offset !== undefined && { offset }) }
  }
}
