import type { Either } from 'fp-ts/lib/Either.js'
import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import type { OpenBucket } from '../../buckets/bucket-file.ts'
import type { AllowedPlaces } from './allowed-folders.ts'
import { askedForMedia } from './allowed-hosts.ts'
import { isLocal } from './local.ts'
import { passOn } from './pass-on.ts'
import { serveFromBucket } from './serve-from-bucket.ts'
import { serveLocal } from './serve-local.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

interface MediaSource extends AllowedPlaces {
  readonly openBucket: OpenBucket
  /** Hosts that are contacted; absent: any. */
  readonly hosts?: readonly string[]
  /** The recording was named by a stranger to this machine. */
  readonly isForeign: boolean
  /** Timeout of a server that sends nothing. */
  readonly stallMillis: number
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
}

/**
 * Answers GET or HEAD of a recording, or of a range of its bytes. Curators state its location: only what
 * researchers may read is read, and files that are not sound are not disclosed.
 */
export const serveMedia = (
  uri: string,
  request: MediaRequest,
  { folders, buckets, openBucket, hosts, isForeign, ...asking }: MediaSource,
): Promise<Either<NotServed, ServedMedia>> => {
  if (isLocal(uri)) return serveLocal(uri, request, folders)
  return isBucketAddress(uri)
    ? serveFromBucket(uri, request, { open: openBucket, folders: buckets, setting: 'FONDS_MEDIA_FOLDERS' })
    : passOn(uri, request, { ...asking, allowed: askedForMedia(hosts, isForeign) })
}
