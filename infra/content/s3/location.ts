import { ContentRootError } from '../content-root-error.ts'
import { pathFailure } from '../path.ts'

/** The part of a bucket that a store is. */
export interface BucketLocation {
  readonly bucket: string
  /** Comes before each path: empty, or with a slash at its end. */
  readonly prefix: string
}

export { isBucketAddress } from '../../../src/domain/kernel/bucket-address.ts'

/**
 * True for an address of a bucket, and for what is meant as one and is none (`S3://archive`, `s3:archive`): `locationOf`
 * refuses that by its name, where it would be the path of a folder.
 */
export const isMeantAsBucket = (root: string): boolean => /^s3:/i.test(root)

/** Reads `s3://bucket` or `s3://bucket/prefix`. Throws `ContentRootError`. */
export const locationOf = (address: string): BucketLocation => {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)\/?(.*)$/s.exec(address) ?? []
  const prefix = rest.replace(/\/$/, '')
  const reason = bucketFailure(bucket) ?? (prefix === '' ? undefined : pathFailure(prefix))
  if (reason) throw new ContentRootError(`content store ${address}: ${reason}; give s3://bucket/prefix`)
  return { bucket, prefix: prefix && `${prefix}/` }
}

/** By the rules of AWS, and of older buckets: others hold to them or to fewer. */
const bucketFailure = (bucket: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(bucket) && !bucket.includes('..')
    ? undefined
    : 'the bucket has 3 or more letters, digits, dots and dashes'
