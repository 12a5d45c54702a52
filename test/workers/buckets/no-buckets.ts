import type { OpenBucket } from '#src/workers/buckets/bucket-file.ts'

/** For what reads no bucket. */
export const noBuckets: OpenBucket = (root) => {
  throw new Error(`${root} is not to be opened here`)
}
