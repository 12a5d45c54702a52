import type { ByteWindow } from './byte-window.ts'

/** How records stand in a file: bare one behind the other, or each in a gzip member of its own. */
export interface Container {
  readonly isCompressed: boolean
  /** The bytes of records. */
  readonly window: ByteWindow
  /** Byte of the file where the record begins. */
  readonly offset: number
  /** To the next record; false at the end of the file. Throws `UnreadableArchive`. */
  next(): boolean
  /** Over bytes of the record, without looking at them where that can be. Gives how many, 0 at the end. */
  skip(count: number): number
  /**
   * The record's last byte, and its empty lines, were read: gives the byte of the file behind what belongs to it. Throws
   * `UnreadableArchive` where a member holds more.
   */
  finish(): number
}
