import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../async/side-by-side.ts'
import { FileName } from '../../../domain/indexing/file.ts'
import { isOpenArchive, isUnfinished } from '../../../domain/indexing/kind.ts'
import { decode } from '../../../domain/kernel/codecs.ts'
import { utf8Text } from '../../runtime/utf8.ts'
import type { Listed } from './listed.ts'

const statsAtOnce = 32

/**
 * Lists the files of a tree, one folder at a time. Leaves out hidden files, and files that their names mark as
 * unfinished, but for archive files that a harvester may have left so. Follows links to files, not to folders: those could form cycles. Throws if the folder itself cannot be
 * read.
 */
export async function* walkFolder(folder: string): AsyncGenerator<Listed> {
  const files: string[] = []
  const folders: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const name = utf8Text(entry.name)
    if (name === undefined) yield noName(folder, entry.name)
    else if (isUnfinished(name) && !isOpenArchive(name)) continue
    else if (entry.isDirectory()) folders.push(name)
    else if (entry.isFile() || entry.isSymbolicLink()) files.push(name)
  }
  yield* await filesIn(folder, files.sort())
  for (const name of folders.sort()) yield* subfolder(join(folder, name))
}

async function* subfolder(folder: string): AsyncGenerator<Listed> {
  try {
    yield* walkFolder(folder)
  } catch (error) {
    yield { kind: 'skipped', what: folder, reason: `cannot be read: ${(error as Error).message}` }
  }
}

const noName = (folder: string, name: Buffer): Listed => ({
  kind: 'skipped',
  what: join(folder, name.toString('latin1')),
  reason: 'the name (its bytes read as Latin-1) is no UTF-8; rename it',
})

const filesIn = async (folder: string, names: readonly string[]): Promise<readonly Listed[]> => {
  const listed: Listed[] = []
  await sideBySide(names, statsAtOnce, async (name) => {
    const one = await fileAt(join(folder, name), name)
    if (one) listed.push(one)
  })
  return listed
}

/** Undefined if the file no longer exists. */
const fileAt = async (location: string, name: string): Promise<Listed | undefined> => {
  try {
    const stats = await stat(location)
    if (!stats.isFile()) return undefined
    const valid = decode(FileName, name)
    if (isLeft(valid)) return { kind: 'skipped', what: location, reason: valid.left }
    const place = { location, size: stats.size, modifiedAt: stats.mtime.toISOString() }
    return { kind: 'file', name, place, fileKind: undefined, ...(isOpenArchive(name) && { isOpen: true }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return { kind: 'skipped', what: location, reason: `cannot be examined: ${(error as Error).message}` }
  }
}
