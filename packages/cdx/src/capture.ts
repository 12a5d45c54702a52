/** One record that replay can show, from a line of an index. Times are UTC; '-' is an unknown value. */
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
  /** Bytes of the record in the file (gzip: of its members); -1 if unknown. */
  readonly length: number
  /** Offset of the record's first byte. */
  readonly offset: number
  /** Name of the archive file; a line of a crawl log names another file than its own. */
  readonly file: string
  /** The request that was answered, if it was other than a GET: its key says what was sent. */
  readonly request?: CaptureRequest
  /** The record that a revisit refers to (CDX-14). */
  readonly original?: RecordPlace
}

/** Place of a record in an archive file, as in a capture. */
export interface RecordPlace {
  readonly length: number
  readonly offset: number
  readonly file: string
}

/** A request by POST or PUT, as a capture's key and CDXJ have it. */
export interface CaptureRequest {
  readonly method: string
  /** Parameters that stand for the body; '' if there is none. */
  readonly body: string
}
