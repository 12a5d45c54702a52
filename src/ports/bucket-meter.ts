import type { BucketTotals } from './bucket-totals.ts'

/** Requests of this process to the root of a store in a span of time. Times are ISO 8601 UTC. */
export interface MeteredSpan extends BucketTotals {
  /** UUID. */
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Requests of this process to the roots of stores that are not in the log yet. */
export interface BucketMeter {
  /**
   * Ends a span and returns it; undefined if nothing was asked of `root` since the last one. Until it is marked as recorded, the
   * same span is returned again: what is done with it must have its effect once, whoever does it.
   */
  readonly span: (root: string) => MeteredSpan | undefined
  /** The log has the span. */
  readonly markRecorded: (root: string, id: string) => void
}
