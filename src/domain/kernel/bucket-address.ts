import { type Either, left, right } from 'fp-ts/lib/Either.js'

/** A place in a bucket of object storage. */
export interface BucketPlace {
  readonly bucket: string
  /** Without a slash at its ends. */
  readonly prefix: string
}

/** True for a bucket, and for what is in one. */
export const isBucketAddress = (address: string): boolean => address.startsWith('s3://')

/** True for `s3://bucket/key`, without control characters. Keys that end in a slash mark folders. */
export const isObjectAddress = (address: string): boolean =>
  /^s3:\/\/[a-zA-Z0-9][a-zA-Z0-9._-]{1,254}\/\P{Cc}*$/u.test(address) && !address.endsWith('/')

/**
 * True if an address is beneath one of the prefixes, as written: some servers fold `a/../b` and `a//b`, so that a key
 * with such segments is beneath none. A prefix with a slash at its end is beneath itself. `prefixes`: `s3://bucket` or
 * `s3://bucket/prefix`; others are passed over.
 */
export const isBeneathBuckets = (address: string, prefixes: readonly string[]): boolean =>
  !/\/\.{0,2}(\/|$)/.test(address.slice('s3://'.length).replace(/\/$/, '')) &&
  prefixes.some((prefix) => isBucketAddress(prefix) && address.startsWith(`${prefix.replace(/\/+$/, '')}/`))

export const bucketAddress = ({ bucket, prefix }: BucketPlace): string => `s3://${bucket}/${prefix}`

/** Keys have 1,024 bytes at most: the rest is for what stands below the prefix. */
const maxPrefixBytes = 300

const form = 'write s3://<bucket>/<prefix>'

/** Reads `s3://bucket/prefix`. Left: why it names no place below a prefix. */
export const bucketPlaceIn = (address: string): Either<string, BucketPlace> => {
  const [, bucket, rest = ''] = /^s3:\/\/([a-zA-Z0-9][a-zA-Z0-9._-]{1,254})(?:\/(.*))?$/.exec(address) ?? []
  if (bucket === undefined) return left(`${address} is no address of a bucket: ${form}`)
  const prefix = rest.replace(/\/+$/, '')
  if (prefix === '') return left(`${address} names no prefix: name one, such as s3://${bucket}/storage`)
  if (prefix.split('/').some((segment) => ['', '.', '..'].includes(segment)))
    return left(`${address} has an empty segment, or one of dots, which some servers leave out: ${form}`)
  if (Buffer.byteLength(prefix) > maxPrefixBytes)
    return left(`${address} is too long: a prefix has ${maxPrefixBytes} bytes at most`)
  return right({ bucket, prefix })
}
