import { DownloadFailure } from '@fonds/download'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { MachineFailure } from '../../async/machine-failure.ts'
import type { TaskContext } from '../../async/task-context.ts'
import { isBeneathBuckets } from '../../domain/kernel/bucket-address.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../ports/content-store.ts'

/* Files in buckets: `s3://bucket/key`. A key stands as it is, without escapes. */

export const isInBucket = (url: string): boolean => /^s3:/i.test(url)

/** True if the address is that of a folder: all below a prefix. */
export const isPrefix = (url: string): boolean => isInBucket(url) && url.endsWith('/')

/** Opens what is below `s3://bucket`. */
export type OpenBucket = (root: string) => ContentStore

/** Opens each bucket once. */
export const openedOnce = (open: OpenBucket): OpenBucket => {
  const opened = new Map<string, ContentStore>()
  return (root) => {
    const store = opened.get(root) ?? open(root)
    opened.set(root, store)
    return store
  }
}

/** The buckets that may be read. */
export interface BucketReach {
  readonly open: OpenBucket
  /** If present, nothing else is read: buckets are among them as `s3://bucket/prefix`. */
  readonly folders: readonly string[] | undefined
  /** Name of the setting that has them. */
  readonly setting: string
}

export interface BucketFile {
  readonly store: ContentStore
  readonly path: string
}

/** Finds a file in a bucket. Throws `DownloadFailure`. */
export const bucketFile = (url: string, reach: BucketReach): BucketFile => {
  const [, root, path] = /^(s3:\/\/[^/]+)\/(.*[^/])$/s.exec(url) ?? []
  if (root === undefined || path === undefined)
    throw new DownloadFailure(`${url} is no address of a file in a bucket: write s3://<bucket>/<key>`)
  failUnlessAllowed(url, reach)
  return { store: reach.open(root), path }
}

/** Opens what is below `s3://bucket/prefix`, if it may be read. Throws `DownloadFailure`. */
export const bucketPrefix = (url: string, reach: BucketReach): ContentStore => {
  const root = url.replace(/\/+$/, '')
  if (!/^s3:\/\/[^/]+\/./.test(root))
    throw new DownloadFailure(`${url} is no prefix in a bucket: write s3://<bucket>/<prefix>`)
  failUnlessAllowed(`${root}/`, reach)
  return reach.open(root)
}

/** `folders`: as `BucketReach` has them. */
export const mayReadBucket = (url: string, folders: readonly string[] | undefined): boolean =>
  folders === undefined || isBeneathBuckets(url, folders)

const failUnlessAllowed = (url: string, { folders, setting }: BucketReach): void => {
  if (!mayReadBucket(url, folders))
    throw new DownloadFailure(
      `${url} is not in a bucket that may be read; move it there, or add its bucket and prefix to ${setting}`,
    )
}

interface Reading {
  /** Called before the first byte, and after a break; returns the offset to read from, or that nothing is to be read. */
  readonly begin: (entry: ContentEntry) => Promise<number | 'nothing'>
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Attempts without a byte more. */
  readonly tries: number
}

/**
 * Reads all of a file; goes on where a connection broke. Throws `DownloadFailure`, `MachineFailure`, and the reason of
 * the signal.
 */
export const readBucketFile = async (
  url: string,
  { store, path }: BucketFile,
  { begin, write, tries }: Reading,
  { signal, progress }: TaskContext,
): Promise<void> => {
  for (let failed = 0; ; ) {
    const entry = await entryOf(url, { store, path })
    const from = await begin(entry)
    if (from === 'nothing') return
    let hasMore = false
    const read = await store.read(path, { version: entry.version, from, signal }, async (chunk) => {
      signal.throwIfAborted()
      hasMore = true
      await write(chunk)
      progress()
    })()
    signal.throwIfAborted()
    if (!isLeft(read)) return
    failed = hasMore ? 1 : failed + 1
    if (failed >= tries) throw asFailure(url, read.left)
  }
}

/** Throws `DownloadFailure` and `MachineFailure`. */
export const entryOf = async (url: string, { store, path }: BucketFile): Promise<ContentEntry> => {
  const found = await store.stat(path)()
  if (isLeft(found)) throw asFailure(url, found.left)
  const why = whyArchived(url, found.right)
  if (why !== undefined) throw new DownloadFailure(why)
  return found.right
}

/** Undefined if its bytes can be read. */
export const whyArchived = (url: string, { archived }: ContentEntry): string | undefined =>
  archived === undefined
    ? undefined
    : `${url} is archived (${archived}) and cannot be read; restore it, then try again`

/** Reads a few bytes of one version: fewer at the end. */
export const readBucketBytes =
  (
    { store, path }: BucketFile,
    options: Parameters<ContentStore['read']>[1],
  ): TaskEither<ContentFailure, Buffer> =>
  async () => {
    const taken: Uint8Array[] = []
    const read = await store.read(path, options, (chunk) => void taken.push(Uint8Array.from(chunk)))()
    return isLeft(read) ? read : right(Buffer.concat(taken))
  }

export const asFailure = (url: string, failure: ContentFailure): Error => {
  switch (failure.kind) {
    case 'NotFound':
      return new DownloadFailure(`${url} is not there`)
    case 'Changed':
      return new DownloadFailure(`${url} changed while it was read; try again when nobody writes to it`)
    case 'Machine':
      return new MachineFailure(failure.reason)
    case 'Refused':
    case 'Unreadable':
      return new DownloadFailure(`${url} cannot be read: ${failure.reason}`)
  }
}
