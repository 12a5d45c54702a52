/** What the head of a record says, in WARC and ARC alike. Texts are as the file has them, a character a byte. */
export interface RecordHead {
  readonly format: 'warc' | 'arc'
  /** `WARC-Type` in lower case. Of ARC: `filedesc` for the first record of the file, and `response` for all others. */
  readonly type: string | undefined
  /** `WARC-Record-ID`. */
  readonly id: string | undefined
  /** `WARC-Target-URI`. */
  readonly url: string | undefined
  /** Of its date, 14 digits in UTC; undefined where there is none. */
  readonly time: string | undefined
  /** `Content-Type`: of the block in WARC, of the payload in ARC. */
  readonly contentType: string | undefined
  /** Whether the block is an HTTP message, by the content type, or the URL where there is none. */
  readonly isHttp: boolean
  /** `WARC-Payload-Digest`. */
  readonly payloadDigest: string | undefined
  /** `WARC-Refers-To`. */
  readonly refersTo: string | undefined
  readonly blockLength: number
  /** What stands in place of a length that can be: the record ends where its member does, or at the next one. */
  readonly noLength?: string
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
