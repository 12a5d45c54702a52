import type { BucketTotals } from '../ports/bucket-totals.ts'
import type { Telemetry } from '../ports/telemetry.ts'

/**
 * Returns a function that adds to the counters of metrics what was asked of buckets since it was last called. All
 * series are there from its first call on.
 */
export const bucketCounter = (totalsNow: () => BucketTotals, telemetry: Telemetry): (() => void) => {
  let before: BucketTotals | undefined
  return () => {
    const now = totalsNow()
    for (const name of Object.keys(now.requests) as (keyof BucketTotals['requests'])[])
      telemetry.count('bucket_requests', { class: name }, now.requests[name] - (before?.requests[name] ?? 0))
    telemetry.count('bucket_bytes', { direction: 'read' }, now.bytesRead - (before?.bytesRead ?? 0))
    telemetry.count('bucket_bytes', { direction: 'written' }, now.bytesWritten - (before?.bytesWritten ?? 0))
    before = now
  }
}
