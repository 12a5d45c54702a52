import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { ContentEntry, ContentFailure, ContentStore } from '../../../ports/content-store.ts'
import type { ByteRange } from './byte-range.ts'
import type { ServedFile } from './file-answer.ts'

/** A file of a content store, as it is served: of one version. */
export interface ServedContent extends ServedFile {
  /**
   * Streams the range with back-pressure. Fails where the file changed, or can no longer be read, and where the client reads
   * nothing for `stallMillis`: it has a connection or a thread meanwhile, for which others may wait.
   */
  bytes(range: ByteRange): Readable
}

export const servedContent = (
  location: string,
  store: ContentStore,
  entry: ContentEntry,
  /** Absent: it may stop for as long as it likes, as players do. */
  stallMillis?: number,
): ServedContent => ({
  size: entry.size,
  modifiedAt: new Date(entry.modifiedAt),
  // The version may hold quotes and more.
  tag: `"${createHash('sha256').update(entry.version).digest('base64url')}"`,
  bytes: (range) => bytesOf(location, store, entry, range, stallMillis),
})

/** For a person. */
export const whyUnread = (location: string, failure: ContentFailure): string => {
  switch (failure.kind) {
    case 'NotFound':
      return `${location} is not there`
    case 'Changed':
      return `${location} changed meanwhile`
    default:
      return `${location} cannot be read: ${failure.reason}`
  }
}

const bytesOf = (
  location: string,
  store: ContentStore,
  { path, version }: ContentEntry,
  { from, to }: ByteRange,
  stallMillis: number | undefined,
): Readable => {
  const out = new PassThrough()
  const leaving = new AbortController()
  out.once('close', () => leaving.abort())
  const { signal } = leaving
  const give = async (chunk: Uint8Array) => {
    if (out.write(Buffer.from(chunk))) return
    const giveUp = () =>
      out.destroy(new Error(`the client read nothing of ${location} for ${stallMillis} ms`))
    const stalled = stallMillis === undefined ? undefined : setTimeout(giveUp, stallMillis)
    try {
      await once(out, 'drain', { signal })
    } finally {
      clearTimeout(stalled)
    }
  }
  store
    .read(path, { version, from, to: to + 1, signal }, give)()
    .then(
      (read) => {
        // An answer that ends early must not look whole.
        if (E.isLeft(read)) out.destroy(new Error(whyUnread(location, read.left)))
        else out.end()
      },
      (error: Error) => out.destroy(error),
    )
  return out
}
