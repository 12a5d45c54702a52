import { StorageRootError } from '@fonds/ocfl'

/** A storage root in a bucket. */
export interface BucketPlace {
  readonly bucket: string
  /** Without a slash at its ends. */
  readonly prefix: string
}

/** Keys have 1,024 bytes at most: the rest is for the object's folders, the version, and names of files. */
const maxPrefixBytes = 300

/** Reads `s3://bucket/prefix`. Throws `StorageRootError`. */
export const placeIn = (address: string): BucketPlace => {
  const [, bucket, rest = ''] = /^s3:\/\/([^/\s?#@]+)\/?(.*)$/.exec(address) ?? []
  const prefix = rest.replace(/\/+$/, '')
  if (bucket === undefined) throw new StorageRootError(`${address} is no address of a bucket: ${form}`)
  if (prefix === '')
    throw new StorageRootError(
      `${address} names no prefix, and what is set aside stands beside the storage root: name one, such as s3://${bucket}/storage`,
    )
  if (prefix.split('/').some((segment) => ['', '.', '..'].includes(segment)))
    throw new StorageRootError(`${address} has an empty segment, or one of dots, which servers fold: ${form}`)
  if (Buffer.byteLength(prefix) > maxPrefixBytes)
    throw new StorageRootError(`${address} is too long: a prefix has ${maxPrefixBytes} bytes at most`)
  return { bucket, prefix }
}

const form = 'write s3://<bucket>/<prefix>'

export const isBucketAddress = (address: string): boolean => address.startsWith('s3://')

export const addressOf = (bucket: string, key: string): string => `s3://${bucket}/${key.replace(/\/$/, '')}`
