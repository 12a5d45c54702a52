import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { declarationFile } from '@fonds/bag'
import { findBag, isOfFileManager } from './bag-folder.ts'

export type FolderType = 'folder' | 'bag'

/** A folder with a bag in it, alone at most one folder deep, is that bag (reference ingest §2.2). */
export const typeOfFiles = (paths: Iterable<string>): FolderType =>
  findBag(paths) === undefined ? 'folder' : 'bag'

/** As `typeOfFiles`, of files that are listed one after the other: keeps few of their names. */
export const typeOfListed = async (files: AsyncIterable<{ readonly path: string }>): Promise<FolderType> => {
  const marks = new Map<string, string>()
  for await (const { path } of files) {
    if (path === declarationFile) return 'bag'
    const top = path.slice(0, path.indexOf('/') + 1)
    const isMark = path === `${top}${declarationFile}` || !marks.has(top)
    // Beside two others no folder is the one bag.
    if (isMark && !isOfFileManager(path) && (marks.size < 2 || marks.has(top))) marks.set(top, path)
  }
  return typeOfFiles(marks.values())
}

/** As `typeOfFiles`, of a local folder: reads of it what tells the type. */
export const typeOfFolder = async (folder: string): Promise<FolderType> => {
  if (await isFile(join(folder, declarationFile))) return 'bag'
  const only = await onlyFolderIn(folder)
  return only !== undefined && (await isFile(join(folder, only, declarationFile))) ? 'bag' : 'folder'
}

/** The one folder in a folder; undefined where there is more, but for files of file managers. */
const onlyFolderIn = async (folder: string): Promise<string | undefined> => {
  let only: string | undefined
  for await (const entry of await opendir(folder)) {
    if (isOfFileManager(entry.isDirectory() ? `${entry.name}/` : entry.name)) continue
    if (only !== undefined || !entry.isDirectory()) return undefined
    only = entry.name
  }
  return only
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
