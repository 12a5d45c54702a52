import { posix } from 'node:path'
import { isOfWindowsRoot, type ManifestLine, type NameReadings } from '@fonds/bag'
import { isAlgorithmName } from '@fonds/digests'
import * as E from 'fp-ts/lib/Either.js'
import { whyInvalidPath } from '../../domain/fixity/item.ts'
import { clip } from '../../domain/kernel/clip.ts'
import type { ContentStore } from '../../ports/content-store.ts'

/** Returns the problem of a line that could be parsed; undefined if there is none. */
export const whyUnusable = ({ algorithm, value, isMalformed }: ManifestLine): string | undefined => {
  if (isMalformed)
    return `${show(value)} is no ${algorithm} digest; it is kept as it is, and compared with nothing`
  return isAlgorithmName(algorithm)
    ? undefined
    : `the algorithm ${show(algorithm)} is not known here: its digests are kept, and compared with nothing`
}

/** Returns the store path of a name in a folder; `''` is the root. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Returns the store path of a name in a manifest of `folder`, which covers that folder and all below it. */
export const resolveName = (folder: string, name: string): E.Either<string, string> => {
  if (name.startsWith('/'))
    return E.left(`${show(name)} is absolute; only names below the manifest's folder are read`)
  const normal = posix.normalize(name)
  if (normal === '..' || normal.startsWith('../'))
    return E.left(
      `${show(name)} leads out of the manifest's folder; move the manifest up to where it covers it`,
    )
  const path = pathIn(folder, normal)
  const why = normal === '.' ? 'is the folder itself' : whyInvalidPath(path)
  return why ? E.left(`${show(name)} ${why}`) : E.right(path)
}

/**
 * Returns the store path that a name means: of its readings the first that is there, else that of a missing file. Only a
 * name with several readings is looked for. Left: why no file below the folder can have that name.
 */
export const resolveReadings = async (
  store: Pick<ContentStore, 'stat'>,
  folder: string,
  { names, ifMissing }: NameReadings,
): Promise<E.Either<string, string>> => {
  const [only] = names
  if (names.length === 1 && only === ifMissing && !isOfWindowsRoot(only)) return resolveName(folder, only)
  for (const name of names) {
    const path = resolveName(folder, name)
    if (E.isRight(path) && E.isRight(await store.stat(path.right)())) return path
  }
  return isOfWindowsRoot(ifMissing)
    ? E.left(`${show(ifMissing)} is absolute; only names below the manifest's folder are read`)
    : resolveName(folder, ifMissing)
}

const show = (text: string): string => JSON.stringify(clip(text, 80))
