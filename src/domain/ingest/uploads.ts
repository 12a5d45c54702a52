import { isLeft } from 'fp-ts/lib/Either.js'
import { type BucketPlace, bucketPlaceIn, isBucketAddress } from '../kernel/bucket-address.ts'

/*
 * Uploads of an archive whose storage root is in a bucket lie beside the root, where no validator takes them for a part of
 * it: `<root>.uploads/<batch>/<upload>/<path>`. A batch may be uploaded more than once.
 */

/** Undefined if the root is no prefix of a bucket. */
export const uploadPlace = (storage: string): BucketPlace | undefined => {
  if (!isBucketAddress(storage)) return undefined
  const place = bucketPlaceIn(storage)
  return isLeft(place) ? undefined : { ...place.right, prefix: `${place.right.prefix}.uploads` }
}

/** The address without the name of the upload: equal for the same files of a batch that were uploaded twice. */
export const withoutUpload = (url: string, batch: string): string =>
  url.replace(new RegExp(`(^s3://.*\\.uploads/${batch}/)[0-9a-f-]{36}/`, 's'), '$1')
