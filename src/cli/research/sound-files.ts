import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

interface SoundFile {
  /** Absolute. */
  readonly path: string
  /** Below the folder that was named, with slashes. */
  readonly name: string
  readonly mediaType: string
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
}

/** The sound files below a folder, by name, or the file itself. Left: a sentence. */
export const soundFiles = async (path: string): Promise<Either<string, readonly SoundFile[]>> => {
  try {
    const isFolder = (await stat(path)).isDirectory()
    const names = isFolder
      ? (await readdir(path, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => relative(path, join(entry.parentPath, entry.name)))
      : [basename(path)]
    const files = names.sort().flatMap((name) => {
      const mediaType = mediaTypes[extname(name).toLowerCase()]
      const file = isFolder ? join(path, name) : path
      return mediaType ? [{ path: file, name: name.split(sep).join('/'), mediaType }] : []
    })
    return files.length > 0
      ? right(files)
      : left(
          `there is no sound file at ${path}; those that end in ${Object.keys(mediaTypes).join(', ')} are taken`,
        )
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return left(`${path} ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}`)
  }
}
