import type { ByteWindow } from './byte-window.ts'

/** Layout of records in a file: bare, one behind the other, or each in a gzip member of its own. */
export interface Container {
  readonly isCompressed: boolean
  /** The bytes of records. */
  readonly window: ByteWindow
  /** Offset in the file at which the record begins. */
  readonly offset: number
  /** Moves to the next record. Returns false at the end of the file. Throws `UnreadableArchive`. */
  next(): boolean
  /** Skips bytes of the record, unread if possible. Returns their number, 0 at the end. */
  skip(count: number): number
  /**
   * Ends a record, whose last byte and empty lines were read. Returns the offset in the file behind it.
   * Throws `UnreadableArchive` if a member has more.
   */
  finish(): number
}
