import type { Either } from 'fp-ts/lib/Either.js'
import { askedForMedia } from './allowed-hosts.ts'
import { isLocal } from './local.ts'
import { passOn } from './pass-on.ts'
import { serveLocal } from './serve-local.ts'
import type { MediaRequest, NotServed, ServedMedia } from './served-media.ts'

interface MediaSource {
  /** That files are opened in; absent: any. */
  readonly folders?: readonly string[]
  /** That are asked; absent: any. */
  readonly hosts?: readonly string[]
  /** Who named the recording is a stranger to this machine. */
  readonly isForeign: boolean
  /** A server that sends nothing for so long is given up. */
  readonly stallMillis: number
  /** Of who asks. */
  readonly signal: AbortSignal
}

/**
 * Answers GET or HEAD of a recording, or of a range of its bytes. Whoever curates says where it lies: only what researchers may read is
 * read, and what is no sound is not given away.
 */
export const serveMedia = (
  uri: string,
  request: MediaRequest,
  { folders, hosts, isForeign, ...asking }: MediaSource,
): Promise<Either<NotServed, ServedMedia>> =>
  isLocal(uri)
    ? serveLocal(uri, request, folders)
    : passOn(uri, request, { ...asking, allowed: askedForMedia(hosts, isForeign) })
