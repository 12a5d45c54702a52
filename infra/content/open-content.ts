import type { HttpClient } from '@fonds/download'
import type { ContentStore } from '../../src/ports/content-store.ts'
import type { S3Settings } from '../s3/settings.ts'
import { createFileSystemStore } from './file-system/store.ts'
import { openLater } from './later.ts'
import type { ClaimRules } from './s3/claims.ts'
import { isMeantAsBucket, locationOf } from './s3/location.ts'

/** Structured-clonable: threads get it as it is. */
export interface ContentSettings {
  readonly s3?: S3Settings | undefined
  /** Which checksums that a bucket reports are those of the bytes. */
  readonly claims?: ClaimRules | undefined
  /** Rules for web servers. */
  readonly http?: HttpSettings | undefined
}

/** Requests of one thread to a bucket or web server at a time. */
export const readsAtOnce = 32

/**
 * Opens the content at `s3://bucket/prefix`, behind `http(s)://host/folder`, or in a folder. Throws `ContentRootError`
 * for an address of a bucket that makes no sense, and for a folder that cannot be opened; a server is asked only when
 * its content is. Web servers are asked by `httpClient`; absent: by requests of this thread.
 */
const openContent = (root: string, settings: ContentSettings = {}, httpClient?: HttpClient): ContentStore => {
  if (isMeantAsBucket(root)) {
    const location = locationOf(root)
    return openLater(
      async () =>
        (await import('./s3/store.ts')).createBucketStore(
          location,
          { ...settings.s3, root },
          settings.claims,
        ),
      { readsAtOnce },
    )
  }
  if (/^https?:\/\//i.test(root))
    return openLater(
      async () =>
        (await import('./http/store.ts')).createHttpStore(root, {
          ...httpOptions(settings.http),
          ...(httpClient && { client: httpClient }),
        }),
      { readsAtOnce },
    )
  return createFileSystemStore(root)
}

/** Structured-clonable. */
interface HttpSettings {
  /** Hosts that may be asked; absent: any. */
  readonly hosts?: readonly string[] | undefined
  /** The address comes from a stranger: it may lead to public addresses, or to those hosts, only. */
  readonly isForeign?: boolean
  readonly stallMillis?: number
}

const httpOptions = ({ hosts, isForeign = false, stallMillis }: HttpSettings = {}) => ({
  allowed: { hosts, isForeign, content: 'content', setting: 'FONDS_INGEST_HOSTS' },
  ...(stallMillis !== undefined && { stallMillis }),
})

/** A thread takes the default export of whatever module it is given. */
export default openContent
