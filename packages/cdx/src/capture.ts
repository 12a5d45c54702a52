/** One record that replay can show; a line of an index says it. Times are UTC; '-' stands for what is not known. */
export interface Capture {
  /** One token: blanks and control characters are encoded. */
  readonly url: string
  /** 14 digits. */
  readonly time: string
  /** One token; 'warc/revisit' for a revisit. */
  readonly mime: string
  /** '200', or '-'. */
  readonly status: string
  /** Base32 SHA-1 without 'sha1:'; another algorithm keeps its prefix. */
  readonly digest: string
  readonly redirect: string
  /** Robot flags. */
  readonly flags: string
  /** Bytes of the record in the file (gzip: of its members); -1 where not known. */
  readonly length: number
  /** Byte where the record begins. */
  readonly offset: number
  /** Name of the archive file; a line of a crawl log names another file than its own. */
  readonly file: string
  /** The record that a revisit refers to (CDX-14). */
  readonly original?: RecordPlace
}

/** Where a record is: as in a capture. */
export interface RecordPlace {
  readonly length: number
  readonly offset: number
  readonly file: string
}
