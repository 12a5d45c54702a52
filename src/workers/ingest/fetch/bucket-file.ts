import { DownloadFailure } from '@fonds/download'
import { isLeft } from 'fp-ts/lib/Either.js'
import { MachineFailure } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../../ports/content-store.ts'

/* Files of submissions in buckets: `s3://bucket/key`. A key stands as it is, without escapes. */

export const isInBucket = (url: string): boolean => /^s3:/i.test(url)

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

/** True if the address is beneath one of those that are of buckets. */
export const isBeneathAny = (url: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isInBucket(folder) && url.startsWith(`${folder.replace(/\/+$/, '')}/`))

interface BucketFile {
  readonly store: ContentStore
  readonly path: string
}

/**
 * Finds a file in a bucket. `folders`: those that may be read, if not all; buckets are among them as
 * `s3://bucket/prefix`. Throws `DownloadFailure`.
 */
export const bucketFile = (
  url: string,
  folders: readonly string[] | undefined,
  open: OpenBucket,
): BucketFile => {
  const [, root, path] = /^(s3:\/\/[^/]+)\/(.*[^/])$/s.exec(url) ?? []
  if (root === undefined || path === undefined)
    throw new DownloadFailure(`${url} is no address of a file in a bucket: write s3://<bucket>/<key>`)
  failUnlessAllowed(url, url, folders)
  return { store: open(root), path }
}

/** Opens what is below `s3://bucket/prefix`, if it may be read. Throws `DownloadFailure`. */
export const bucketPrefix = (
  url: string,
  folders: readonly string[] | undefined,
  open: OpenBucket,
): ContentStore => {
  const root = url.replace(/\/+$/, '')
  if (!/^s3:\/\/[^/]+\/./.test(root))
    throw new DownloadFailure(`${url} is no prefix in a bucket: write s3://<bucket>/<prefix>`)
  failUnlessAllowed(url, `${root}/`, folders)
  return open(root)
}

const failUnlessAllowed = (url: string, place: string, folders: readonly string[] | undefined): void => {
  if (folders && !isBeneathAny(place, folders))
    throw new DownloadFailure(
      `${url} is not in a bucket that may be read; move it there, or add its bucket and prefix to FONDS_INGEST_FOLDERS`,
    )
}

interface Reading {
  /** Called before the first byte, and after a break; returns the offset to read from. */
  readonly begin: (entry: ContentEntry) => Promise<number>
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
  if (found.right.archived !== undefined)
    throw new DownloadFailure(
      `${url} is archived (${found.right.archived}) and cannot be read; restore it, then resume the job`,
    )
  return found.right
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
