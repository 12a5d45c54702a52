import { createHash } from 'node:crypto'
import type { ContentEntry, Listed } from '../../../ports/content-store.ts'

/** A dropped file or folder, directly below the prefix. */
export interface Dropped {
  readonly name: string
  readonly isFolder: boolean
  /** Changes with its bytes, as far as the storage tells; of a folder also with its names. */
  readonly version: string
  /** Only for a file. */
  readonly entry?: ContentEntry
}

/** One listing of a prefix. Memory holds what is directly below it. */
export interface DropListing {
  readonly dropped: readonly Dropped[]
  /** Folders whose mark is not older than anything in them. */
  readonly marked: ReadonlySet<string>
  /** Names that cannot be taken in, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
}

/** The mark of the folder `a` is the object `a.complete` beside it. Marks are never taken in. */
const markEnding = '.complete'

/** The listing is not whole: what it lacks is not known. */
export class BrokenListing extends Error {
  override readonly name = 'BrokenListing'
}

interface Gathered {
  /** Sums of the digests of its files: independent of their order. */
  readonly sum: Buffer
  files: number
  lastModified: string
}

/** Throws `BrokenListing`, and the reason of the signal. */
export const listDrops = async (
  listing: AsyncIterable<Listed>,
  signal: AbortSignal,
): Promise<DropListing> => {
  const files: Dropped[] = []
  const marks = new Map<string, string>()
  const folders = new Map<string, Gathered>()
  const skipped: { path: string; reason: string }[] = []
  for await (const one of listing) {
    signal.throwIfAborted()
    if (one.kind === 'skipped') {
      const { path, reason, mayBeContent } = one.skipped
      if (path === '.' && mayBeContent) throw new BrokenListing(reason)
      if (mayBeContent) skipped.push({ path, reason })
      continue
    }
    const { entry } = one
    const slash = entry.path.indexOf('/')
    if (slash !== -1) add(folders, entry.path.slice(0, slash), entry)
    else if (entry.path.endsWith(markEnding))
      marks.set(entry.path.slice(0, -markEnding.length), entry.modifiedAt)
    else files.push({ name: entry.path, isFolder: false, version: bytesOf(entry), entry })
  }
  const found = [...folders].map(([name, { sum, files: count }]) => ({
    name,
    isFolder: true,
    version: `${count}/${sum.toString('hex')}`,
  }))
  const isMarked = ([name, { lastModified }]: readonly [string, Gathered]) =>
    (marks.get(name) ?? '') >= lastModified
  return {
    dropped: [...files, ...found],
    marked: new Set([...folders].filter(isMarked).map(([name]) => name)),
    skipped,
  }
}

/**
 * The version without the time at its end: the same bytes that are put again are no news. Without an ETag, which files
 * lack that were put into a server's own folder, the time is all that tells.
 */
const bytesOf = ({ version }: ContentEntry): string =>
  version.startsWith('/') ? version : version.replace(/\/-?\d+$/, '')

const add = (folders: Map<string, Gathered>, name: string, entry: ContentEntry): void => {
  const gathered = folders.get(name) ?? { sum: Buffer.alloc(32), files: 0, lastModified: '' }
  const digest = createHash('sha256')
    .update(`${entry.path}\0${bytesOf(entry)}`)
    .digest()
  for (let i = 0; i < digest.length; i++) gathered.sum[i] = gathered.sum[i]! ^ digest[i]!
  gathered.files += 1
  if (entry.modifiedAt > gathered.lastModified) gathered.lastModified = entry.modifiedAt
  folders.set(name, gathered)
}

/** Versions of folders, by name. */
export type Versions = ReadonlyMap<string, string>

export const folderVersions = ({ dropped }: DropListing): Versions =>
  new Map(dropped.flatMap(({ name, isFolder, version }) => (isFolder ? [[name, version]] : [])))

/**
 * Those that are whole: an object of S3 is from the moment that it is listed, a folder once it has its mark, or nothing
 * of it changed since the listing before.
 */
export const wholeIn = ({ dropped, marked }: DropListing, before: Versions): readonly Dropped[] =>
  dropped.filter(
    ({ name, isFolder, version }) => !isFolder || marked.has(name) || before.get(name) === version,
  )
