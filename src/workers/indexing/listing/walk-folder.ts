import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import { FileName } from '../../../domain/indexing/file.ts'
import { isUnfinished } from '../../../domain/indexing/kind.ts'
import { decode } from '../../../domain/kernel/codecs.ts'
import type { Listed } from './listed.ts'

const statsAtOnce = 32

/**
 * The files of a tree, a folder at a time. What is hidden, and what somebody still writes by its name, is left out. Links lead to
 * files, and to no folders: those could lead round. Throws where the folder itself cannot be read.
 */
export async function* walkFolder(folder: string): AsyncGenerator<Listed> {
  const entries = await readdir(folder, { withFileTypes: true })
  const visible = entries.filter(({ name }) => !isUnfinished(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  yield* await filesIn(
    folder,
    visible.filter((entry) => entry.isFile() || entry.isSymbolicLink()),
  )
  for (const entry of visible) if (entry.isDirectory()) yield* subfolder(join(folder, entry.name))
}

async function* subfolder(folder: string): AsyncGenerator<Listed> {
  try {
    yield* walkFolder(folder)
  } catch (error) {
    yield { kind: 'skipped', what: folder, reason: `cannot be read: ${(error as Error).message}` }
  }
}

const filesIn = async (folder: string, entries: readonly Dirent[]): Promise<readonly Listed[]> => {
  const listed: Listed[] = []
  await sideBySide(entries, statsAtOnce, async ({ name }) => {
    const one = await fileAt(join(folder, name), name)
    if (one) listed.push(one)
  })
  return listed
}

/** Undefined where there is no file any more. */
const fileAt = async (location: string, name: string): Promise<Listed | undefined> => {
  try {
    const stats = await stat(location)
    if (!stats.isFile()) return undefined
    const valid = decode(FileName, name)
    if (isLeft(valid)) return { kind: 'skipped', what: location, reason: valid.left }
    const place = { location, size: stats.size, modifiedAt: stats.mtime.toISOString() }
    return { kind: 'file', name, place, fileKind: undefined }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return { kind: 'skipped', what: location, reason: `cannot be looked at: ${(error as Error).message}` }
  }
}
