/**
 * Things that a bucket lets a writer do, each tried once:
 * - `write`: an object in one request. Nothing else is tried where it is refused.
 * - `list`, `read`: the object is in a listing at once, and its bytes and checksum are those that were written.
 * - `if-none-match`, `if-match`: the server refuses a write whose condition does not hold.
 * - `multipart`, `list-uploads`: an upload in parts is begun and given up; it is listed meanwhile.
 * - `delete`: the object is gone; `delete-versions`: in a bucket that keeps versions, also its versions.
 */
export type ProbeStep =
  | 'write'
  | 'list'
  | 'read'
  | 'if-none-match'
  | 'if-match'
  | 'multipart'
  | 'list-uploads'
  | 'delete'
  | 'delete-versions'

export interface ProbeResult {
  readonly step: ProbeStep
  /** `not-tried`: because of an earlier failure, or because the bucket keeps no versions. */
  readonly works: 'yes' | 'no' | 'not-tried'
  /** A sentence for a person: why it does not work, with what to do; or what was seen. */
  readonly note?: string
}

/** A part of a probe that is still in the bucket, or may be. */
export interface Leftover {
  readonly key: string
  readonly versionId?: string
  /** It is an upload in parts, which nobody gave up. */
  readonly uploadId?: string
}

export interface BucketProbe {
  readonly results: readonly ProbeResult[]
  readonly leftovers: readonly Leftover[]
}

export interface ProbeOptions {
  /** Key of the object, below the prefix; one that nobody has. The upload has it, too, with `-parts`. */
  readonly key: string
  /** Content of the object. */
  readonly text: string
  /** Ends the attempts; what was written is deleted all the same. */
  readonly signal?: AbortSignal | undefined
}

/** Writes into `s3://bucket/prefix`, and deletes what it wrote. Never rejects for what the server does. */
export type ProbeBucket = (address: string, options: ProbeOptions) => Promise<BucketProbe>
