/** Attempts on a bucket, each of which only reads: in this order, and none behind one that fails. */
export type BucketStep = 'reach' | 'list' | 'describe' | 'read'

export interface BucketInspection {
  /** Those that succeeded. A bucket without objects below the prefix is not described and not read. */
  readonly done: readonly BucketStep[]
  /** `reason`: a sentence for a person, with what to do. */
  readonly failed?: { readonly step: BucketStep; readonly reason: string }
  /** How far the server's clock is ahead of this machine's; undefined where the server tells no time. */
  readonly skewMillis?: number
  /** The object that was described. */
  readonly object?: {
    readonly key: string
    /** Algorithms of the checksums that the server reports. */
    readonly checksums: readonly string[]
    /** It cannot be read before it is restored. */
    readonly isArchived: boolean
  }
}

/** Inspects what `s3://bucket/prefix` lets this process do. Never rejects for what the server does. */
export type InspectBucket = (address: string, signal?: AbortSignal) => Promise<BucketInspection>
