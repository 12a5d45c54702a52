import { StorageRootError } from '@fonds/ocfl'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type BucketPlace, bucketAddress, bucketPlaceIn } from '../../../src/domain/kernel/bucket-address.ts'

/** Where a storage root in a bucket is. Throws `StorageRootError`. */
export const placeIn = (address: string): BucketPlace => {
  const place = bucketPlaceIn(address)
  if (isLeft(place)) throw new StorageRootError(place.left)
  return place.right
}

/** `folder`: a prefix that ends with a slash. */
export const addressOf = (bucket: string, folder: string): string =>
  bucketAddress({ bucket, prefix: folder.replace(/\/$/, '') })
