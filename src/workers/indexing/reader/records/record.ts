/** What the head of a record says, in WARC and ARC alike. */
export interface RecordHead {
  readonly blockLength: number
  /** What stands in place of a length that can be: the record ends where its member does, or at the next one. */
  readonly noLength?: string
  /** Undefined where the record gets no line. */
  readonly capture: CaptureHead | undefined
  /** By which other records of the file name it. */
  readonly id: string | undefined
}

export interface CaptureHead {
  readonly url: string
  readonly time: string
  /** Where no head of an HTTP response says it. */
  readonly mime: string
  readonly isRevisit: boolean
  /** Whether the block begins with the head of an HTTP response. */
  readonly isHttp: boolean
  /** Undefined where it is to be computed. */
  readonly digest: string | undefined
  /** Of a revisit: the record that it repeats. */
  readonly refersTo: string | undefined
}

/** The records of one format. */
export interface RecordFormat {
  /** Reads the head at the start of the window, and leaves the window behind it. Throws `UnreadableArchive`. */
  readHead(): RecordHead
  /**
   * The block was read: goes over what parts it from the next record. Gives whether that is all there, as the format has it; false
   * where the record is whole without it. Throws `UnreadableArchive`.
   */
  readEnd(): boolean
}
