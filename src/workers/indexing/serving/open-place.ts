import type { Readable } from 'node:stream'
import { recentCache } from '@fonds/toolbox'
import type { Source } from '@fonds/warc/read'
import * as E from 'fp-ts/lib/Either.js'
import { isRemote, type Place } from '../../../domain/indexing/place.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import type { ByteRange } from '../../http/serving/byte-range.ts'
import type { ServedFile } from '../../http/serving/file-answer.ts'
import { type OpenFile, openFile } from '../../http/serving/open-file.ts'
import { servedContent, whyUnread } from '../../http/serving/served-content.ts'
import { contentPlace } from '../streams/content-place.ts'
import { examineSparsely } from './sparse-source.ts'

/** An archive file that is served. Its opener must either read it or close it. */
export interface ServableFile extends ServedFile {
  /** Present for a file on a server: equal for one version of it. */
  readonly identity?: string
  /** Calls `use` with the file, whose reads do not wait. `use` may be called again from the beginning. */
  examine<A>(use: (file: Source) => A | Promise<A>): Promise<A>
  /** Streams the range with back-pressure. */
  bytes(range: ByteRange): Readable
  close(): Promise<void>
}

export type OpenContent = (root: string) => ContentStore

/** Opens a file where it lies: on this machine, in a bucket, or on a web server. Left: why it cannot be read. */
export const openPlace = async (
  { location, foreign }: Place,
  openContent: OpenContent,
  stallMillis: number,
): Promise<E.Either<string, ServableFile>> => {
  if (isRemote(location)) return openElsewhere(location, foreign ?? false, openContent, stallMillis)
  return E.map((file: OpenFile) => ({
    ...file,
    examine: async <A>(use: (source: Source) => A | Promise<A>) => use(file),
  }))(await openFile(location))
}

/** Stores by the function that opened them, and their roots: each has connections of its own. */
const stores = new WeakMap<OpenContent, ReturnType<typeof recentCache<ContentStore>>>()
const maxStores = 32

const storeAt = (root: string, openContent: OpenContent): ContentStore => {
  const opened = stores.get(openContent) ?? recentCache<ContentStore>(maxStores)
  stores.set(openContent, opened)
  const store = opened.get(root) ?? openContent(root)
  opened.set(root, store)
  return store
}

/** Bytes of one file that may be in memory while it is examined. */
const maxExamined = 64 * 1024 * 1024

const openElsewhere = async (
  location: string,
  isForeign: boolean,
  openContent: OpenContent,
  stallMillis: number,
): Promise<E.Either<string, ServableFile>> => {
  const place = contentPlace(location)
  const isWeb = !location.startsWith('s3:')
  if (!place || (isWeb && isForeign))
    return E.left(`${location} is on another server, and is not served from here: ask that server`)
  const { path } = place
  const store = storeAt(place.root, openContent)
  const found = await store.stat(path)()
  if (E.isLeft(found)) return E.left(whyUnread(location, found.left))
  const entry = found.right
  const load = async (from: number, to: number): Promise<Buffer> => {
    const chunks: Buffer[] = []
    const read = await store.read(path, { version: entry.version, from, to }, (chunk) => {
      chunks.push(Buffer.from(chunk))
    })()
    if (E.isLeft(read)) throw new Unservable(whyUnread(location, read.left))
    return Buffer.concat(chunks)
  }
  return E.right({
    ...servedContent(location, store, entry, stallMillis),
    identity: `${location} ${entry.version}`,
    examine: (use) => examineSparsely(entry.size, load, use, maxExamined),
    close: async () => {},
  })
}

/** A file that is there can no longer be read. */
export class Unservable extends Error {
  override readonly name = 'Unservable'
}
