/** The head of a record of WARC or ARC. Texts are those of the file, one character per byte (Latin-1). */
export interface RecordHead {
  readonly format: 'warc' | 'arc'
  /**
   * `WARC-Type` in lower case. ARC: `filedesc` for a record that begins a file, `response` for all others.
   */
  readonly type: string | undefined
  /** `WARC-Record-ID`. */
  readonly id: string | undefined
  /** `WARC-Target-URI`. */
  readonly url: string | undefined
  /** The date as 14 digits in UTC (CDX timestamp); undefined if missing or invalid. */
  readonly time: string | undefined
  /** `Content-Type`: of the block in WARC, of the payload in ARC. */
  readonly contentType: string | undefined
  /** True if the block is an HTTP message, by the content type or, without one, by the URL. */
  readonly isHttp: boolean
  /** `WARC-Payload-Digest`. */
  readonly payloadDigest: string | undefined
  /** `WARC-Refers-To`. */
  readonly refersTo: string | undefined
  /** `WARC-Concurrent-To`: the id of a record of the same harvest, such as the request of a response. */
  readonly concurrentTo?: string | undefined
  /** Bytes; `Infinity` if it is unknown and the record ends with its member. */
  readonly blockLength: number
  /** The text of an invalid length. The record then ends with its gzip member or before the next one. */
  readonly malformedLength?: string
}

/** The records of one format. */
export interface RecordFormat {
  /** Reads the head at the start of the window, and leaves the window behind it. Throws `UnreadableArchive`. */
  readHead(): RecordHead
  /**
   * Skips the separator behind a block that was read. Returns true if it is complete as files of the format
   * have it, false if the record is whole without it. Throws `UnreadableArchive`.
   */
  readEnd(): boolean
}
