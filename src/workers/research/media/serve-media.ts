import type { Either } from 'fp-ts/lib/Either.js'
import { askedForMedia } from './allowed-hosts.ts'
import { isLocal } from './local.ts'
import { passOn } from './pass-on.ts'
import { serveLocal } from './serve-local.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

interface MediaSource {
  /** Folders in which files are opened; absent: any. */
  readonly folders?: readonly string[]
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
 * Answers GET or HEAD of a recording, or of a range of its bytes. Curators state its location: only files that
 * researchers may read are read, and files that are not sound are not disclosed.
 */
export const serveMedia = (
  uri: string,
  request: MediaRequest,
  { folders, hosts, isForeign, ...asking }: MediaSource,
): Promise<Either<NotServed, ServedMedia>> =>
  isLocal(uri)
    ? serveLocal(uri, request, folders)
    : passOn(uri, request, { ...asking, allowed: askedForMedia(hosts, isForeign) })
