/** Requests of this process to buckets so far, by class, and bytes. */
export interface BucketTotals {
  readonly requests: Readonly<Record<'get' | 'head' | 'list' | 'put' | 'delete', number>>
  readonly bytesRead: number
  readonly bytesWritten: number
}
