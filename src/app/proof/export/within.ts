import { lstat, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { declarationFile } from '@fonds/bag'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { listTagFiles, tagManifestsOf, unlistTagFiles } from './tag-manifests.ts'

/*
 * An export within the package that it is about, so that the history travels with the bytes: below `logs/` of an OCFL object, which no
 * inventory lists, or as tag files of a bag (RFC 8493), which its tag manifests list.
 */

/** Name of the export's folder there. */
const name = 'fonds-proof'

/**
 * Writes an export into an OCFL object or a bag, in the place of the one that `within` wrote there before. `write` makes a new folder. At
 * any moment the package is valid. Left: why there is none.
 */
export const within = async <A extends { readonly folder: string }>(
  folder: string,
  write: (to: string) => Promise<Either<string, A>>,
): Promise<Either<string, A>> => {
  const kind = await packageKind(folder)
  if (kind === undefined)
    return left(
      `${folder} is neither an OCFL object (a file 0=ocfl_object_… in it) nor a bag (${declarationFile} in it)`,
    )
  const parent = kind === 'object' ? join(folder, 'logs') : folder
  const to = join(parent, name)
  const hindrance = await hindranceTo(folder, parent, to)
  if (hindrance !== undefined) return left(hindrance)
  const manifests = kind === 'bag' ? await tagManifestsOf(folder) : right([])
  if (isLeft(manifests)) return manifests
  await makeFolder(parent)
  const next = `${to}.${process.pid}`
  try {
    const written = await write(next)
    if (isLeft(written)) return written
    await unlistTagFiles(folder, manifests.right, name)
    await rm(to, { recursive: true, force: true })
    await rename(next, to)
    await listTagFiles(folder, manifests.right, name)
    return right({ ...written.right, folder: to })
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

/** Packages come from others: what lies there is no link that leads out of it, and nobody's folder but ours is replaced. */
const hindranceTo = async (folder: string, parent: string, to: string): Promise<string | undefined> => {
  if (parent !== folder && (await kindOf(parent)) === 'other')
    return `${parent} is a link or a file: nothing is written through it`
  if ((await kindOf(to)) === 'absent') return undefined
  return (await kindOf(to)) === 'folder' && (await namesIn(to)).includes('checkpoint')
    ? undefined
    : `${to} is there, and is no export that was written before: move it away`
}

const kindOf = async (path: string): Promise<'folder' | 'other' | 'absent'> => {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 'absent'
    throw error
  }
}

const packageKind = async (folder: string): Promise<'object' | 'bag' | undefined> => {
  const names = await namesIn(folder)
  if (names.some((one) => one.startsWith('0=ocfl_object_'))) return 'object'
  return names.includes(declarationFile) ? 'bag' : undefined
}

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await stat(folder)).isDirectory() ? await readdir(folder) : []
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return []
    throw error
  }
}
