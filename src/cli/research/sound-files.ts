import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

export interface SoundFile {
  /** Absolute. */
  readonly path: string
  /** Relative to the named folder, with slashes. */
  readonly name: string
  readonly mediaType: string
}

/** A sound file that is not added. */
export interface LeftOut {
  /** Absolute. */
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

/** Returns the sound files below a folder, by name, or the file itself. Left: a sentence. */
export const soundFiles = async (path: string): Promise<Either<string, SoundFiles>> => {
  try {
    const isFolder = (await stat(path)).isDirectory()
    const names = isFolder ? await filesBelow(path) : [basename(path)]
    const placeOf = (name: string) => (isFolder ? join(path, name) : path)
    const taken = names.flatMap((name) => {
      const mediaType = mediaTypes[endingOf(name)]
      return mediaType ? [{ path: placeOf(name), name: name.split(sep).join('/'), mediaType }] : []
    })
    const leftOut = names
      .filter((name) => undecoded.has(endingOf(name)))
      .map((name) => ({
        path: placeOf(name),
        reason: `${endingOf(name)} is not decoded here: convert it, to flac for example`,
      }))
    return taken.length + leftOut.length > 0
      ? right({ taken, leftOut })
      : left(`there is no sound file at ${path}; those that end in ${ranks.join(', ')} are taken`)
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
