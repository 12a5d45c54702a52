import { posix } from 'node:path'
import type { ManifestLine } from '@fonds/bag'
import * as E from 'fp-ts/lib/Either.js'
import { whyInvalidPath } from '../../domain/fixity/item.ts'
import { clip } from '../../domain/kernel/clip.ts'

/** Returns the problem of a line that could be parsed; undefined if there is none. */
export const whyUnusable = ({ algorithm, value, isMalformed }: ManifestLine): string | undefined =>
  isMalformed
    ? `${show(value)} is no ${algorithm} digest; it is kept as it is, and compared with nothing`
    : undefined

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

const show = (text: string): string => JSON.stringify(clip(text, 80))
