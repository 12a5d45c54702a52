import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import type { ContentStore, SkippedEntry } from '../../ports/content-store.ts'

export interface SoundFile {
  /** Absolute path, or `s3://bucket/key`. */
  readonly path: string
  /** Relative to the named folder or prefix, with slashes. */
  readonly name: string
  readonly mediaUri: string
  readonly mediaType: string
  readonly modifiedAt: string
}

/** A sound file that is not added. */
export interface LeftOut {
  /** As `SoundFile` has it. */
  readonly path: string
  readonly reason: string
}

interface SoundFiles {
  readonly taken: readonly SoundFile[]
  readonly leftOut: readonly LeftOut[]
}

/** Formats that the researcher decodes. Lossless ones first: of a recording in several formats, the best is taken. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.wav': 'audio/wav',
  '.bwf': 'audio/wav',
  '.rf64': 'audio/wav',
  '.flac': 'audio/flac',
  '.opus': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.mp2': 'audio/mpeg',
  '.mpa': 'audio/mpeg',
  '.mp3': 'audio/mpeg',
}
const ranks = Object.keys(mediaTypes)

/** Endings of sound files without a decoder here. */
const undecoded = new Set(
  '.aac .m4a .m4b .mp4 .mka .webm .wma .aif .aiff .aifc .au .caf .amr .ac3 .ape .wv .ra .3gp'.split(' '),
)

const endingOf = (name: string): string => extname(name).toLowerCase()

/** 0 is the best. */
export const rankOf = ({ name }: SoundFile): number => ranks.indexOf(endingOf(name))

type Found = Omit<SoundFile, 'mediaType'>

/**
 * Returns the sound files below a folder, or a prefix of a bucket, by name; or the file itself. Left: a sentence.
 */
export const soundFiles = async (
  place: string,
  openContent: (root: string) => ContentStore,
): Promise<Either<string, SoundFiles>> => {
  const found = await (isBucketAddress(place) ? inBucket(place, openContent) : inFolder(place))
  if (isLeft(found)) return found
  const { files, unread } = found.right
  const taken = files.flatMap((file) => {
    const mediaType = mediaTypes[endingOf(file.name)]
    return mediaType ? [{ ...file, mediaType }] : []
  })
  const leftOut = files
    .filter(({ name }) => undecoded.has(endingOf(name)))
    .map(({ path, name }) => ({
      path,
      reason: `${endingOf(name)} is not decoded here: convert it, to flac for example`,
    }))
  leftOut.push(...unread.filter(({ path }) => isSound(path)))
  return taken.length + leftOut.length > 0
    ? right({ taken, leftOut })
    : left(`there is no sound file at ${place}; those that end in ${ranks.join(', ')} are taken`)
}

/** Files, whatever their kind, and what is there and cannot be read. */
interface Listing {
  readonly files: readonly Found[]
  readonly unread: readonly LeftOut[]
}

const isSound = (name: string): boolean => ranks.includes(endingOf(name)) || undecoded.has(endingOf(name))

const inFolder = async (path: string): Promise<Either<string, Listing>> => {
  try {
    const isFolder = (await stat(path)).isDirectory()
    const names = isFolder ? await filesBelow(path) : [basename(path)]
    const files: Found[] = []
    for (const name of names.filter(isSound)) {
      const file = isFolder ? join(path, name) : path
      const modifiedAt = (await stat(file)).mtime.toISOString()
      files.push({
        ...{ path: file, name: name.split(sep).join('/') },
        ...{ mediaUri: pathToFileURL(file).href, modifiedAt },
      })
    }
    return right({ files, unread: [] })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return left(`${path} ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}`)
  }
}

const filesBelow = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

/** A prefix that is an object is that object. */
const inBucket = async (
  address: string,
  openContent: (root: string) => ContentStore,
): Promise<Either<string, Listing>> => {
  const [, root, rest = ''] = /^(s3:\/\/[^/]+)\/?(.*)$/s.exec(address) ?? []
  if (root === undefined) return left(`${address} is no address of a bucket: write s3://<bucket>/<prefix>`)
  const prefix = rest.replace(/\/+$/, '')
  const files: Found[] = []
  const unread: LeftOut[] = []
  const isListing = ({ path }: SkippedEntry) => path === '.' || path === prefix
  for await (const listed of openContent(root).list(...(prefix === '' ? [] : [prefix]))) {
    if (listed.kind === 'entry') {
      const { path, modifiedAt } = listed.entry
      const mediaUri = `${root}/${path}`
      const name = path === prefix ? basename(path) : path.slice(prefix === '' ? 0 : prefix.length + 1)
      if (isSound(name)) files.push({ path: mediaUri, name, mediaUri, modifiedAt })
    } else if (listed.skipped.mayBeContent && isListing(listed.skipped))
      return left(`${address} ${listed.skipped.reason}`)
    else if (listed.skipped.mayBeContent)
      unread.push({ path: `${root}/${listed.skipped.path}`, reason: listed.skipped.reason })
  }
  return right({ files, unread })
}
