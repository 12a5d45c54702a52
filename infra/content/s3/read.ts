import type { ContentEntry, ContentStore } from '../../../src/ports/content-store.ts'
import { discard } from '../../s3/answer.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Object } from '../../s3/objects.ts'
import type { S3Content } from '../../s3/read.ts'
import { type ByteRange, rangeIn } from '../byte-range.ts'
import { changed, stopped, unreadable } from '../failed.ts'
import { needsPartSizes, partsCount } from './claims.ts'
import { entryOf, etagIn, sizeIn, versionOf } from './entry.ts'
import { head } from './head.ts'
import { partSizes } from './part-sizes.ts'
import type { BucketRoot } from './root.ts'

type ReadOptions = Parameters<ContentStore['read']>[1]
type OnChunk = Parameters<ContentStore['read']>[2]

/** A body that breaks off so often in a row, without a byte between, is given up. */
const maxBreaks = 5

/**
 * All bytes are of one version, also if the key is overwritten meanwhile: then they are the old ones, or `Changed` if
 * the connection breaks and the rest is of another. Throws `Failed`, `S3Error`, and whatever `onChunk` throws.
 */
export const readObject = async (root: BucketRoot, path: string, options: ReadOptions, onChunk: OnChunk) => {
  const { version, signal } = options
  const key = root.prefix + path
  rangeIn(Number.MAX_SAFE_INTEGER, options)
  let body: S3Content['body'] | undefined
  try {
    const opened = await open(root, key, options)
    const { object } = opened
    body = opened.body
    if (version !== undefined && version !== versionOf(object)) throw changed(path)
    if (options.onEntry) await options.onEntry(await entryWithParts(root, path, object, signal))
    const range = rangeIn(object.size, options)
    if (opened.whole && opened.whole.length === range.to - range.from) {
      if (opened.whole.length > 0) await onChunk(opened.whole)
      if (signal?.aborted) throw stopped(path)
    } else if (body) await pour(root, path, { object, body }, range, signal, onChunk)
    return { bytes: range.to - range.from, version: versionOf(object) }
  } catch (error) {
    if (body) await discard(body)
    if (signal?.aborted && error === signal.reason) throw stopped(path)
    throw error
  }
}

type Opened = Pick<S3Content, 'object'> & Partial<S3Content>

/** No body where the range has no bytes. An answer with a range lacks the checksums that an entry has. */
const open = async (
  root: BucketRoot,
  key: string,
  { version, from = 0, to, signal, onEntry }: ReadOptions,
): Promise<Opened> => {
  if (to !== undefined && to <= from) return { object: await head(root, key, { signal }) }
  const isRange = from > 0 || to !== undefined
  const described = isRange && onEntry ? await head(root, key, { signal }) : undefined
  const ifMatch = described?.etag || (version && etagIn(version)) || undefined
  try {
    const size = described?.size ?? (version === undefined ? undefined : sizeIn(version))
    const lends = lendingOf({ from, to: Math.min(to ?? size ?? 0, size ?? 0) })
    const { versionId } = root
    const content = await root.bucket.get(key, { versionId, ifMatch, from, to, lends, signal })
    return { ...content, object: described ?? content.object }
  } catch (error) {
    if (!(error instanceof S3Error) || error.status !== 416) throw error
    return { object: described ?? (await head(root, key, { signal })) }
  }
}

/** Gives the bytes of the range, and asks for the rest where the connection breaks. */
const pour = async (
  root: BucketRoot,
  path: string,
  first: S3Content,
  { from, to }: ByteRange,
  signal: AbortSignal | undefined,
  onChunk: OnChunk,
): Promise<void> => {
  const { object } = first
  let chunks = first.body[Symbol.asyncIterator]()
  let at = from
  let breaks = 0
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => error)
      if (next instanceof S3Error) {
        if (!next.isTransient || ++breaks > maxBreaks) throw next
        chunks = (await rest(root, path, object, at, to, signal))[Symbol.asyncIterator]()
        continue
      }
      if (!isResult(next)) throw next
      if (next.done) break
      at += next.value.length
      breaks = 0
      await onChunk(next.value)
      if (signal?.aborted) throw stopped(path)
    }
  } finally {
    await chunks.return?.()
  }
  if (at !== to) throw unreadable(path, `got ${at - from} of ${to - from} bytes`)
}

/** So many bytes wait for no connection: nobody waits for who reads them slowly. */
const muchBytes = 4 * 1024 * 1024

const lendingOf = ({ from, to }: ByteRange): 'much' | 'some' => (to - from >= muchBytes ? 'much' : 'some')

const isResult = (next: unknown): next is IteratorResult<Uint8Array> =>
  typeof next === 'object' && next !== null && 'done' in next

const rest = async (
  { bucket, prefix }: BucketRoot,
  path: string,
  before: S3Object,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): Promise<S3Content['body']> => {
  const { etag, versionId } = before
  try {
    const { object, body } = await bucket.get(prefix + path, {
      ...{ versionId, from, to, lends: lendingOf({ from, to }), signal },
      ifMatch: etag || undefined,
    })
    if (versionOf(object) === versionOf(before)) return body
    await discard(body)
  } catch (error) {
    if (!(error instanceof S3Error) || (error.status !== 404 && error.status !== 412)) throw error
  }
  throw changed(path)
}

/** Asks for the sizes of the parts where nothing else that the bucket reports can be compared: a request for each. */
const entryWithParts = async (
  { bucket, prefix, rules }: BucketRoot,
  path: string,
  object: S3Object,
  signal: AbortSignal | undefined,
): Promise<ContentEntry> => {
  const count = needsPartSizes(object, rules) ? partsCount(object) : undefined
  if (count === undefined) return entryOf(path, object, rules)
  const { size, versionId, etag } = object
  const sizes = await partSizes({ size, count }, async (partNumber) => {
    try {
      const part = await bucket.head(prefix + path, { versionId, partNumber, signal })
      return part.etag === etag ? part.partSize : undefined
    } catch (error) {
      if (error instanceof S3Error && !error.isTransient) return undefined
      throw error
    }
  })
  return entryOf(path, object, rules, sizes)
}
