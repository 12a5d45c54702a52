import { randomUUID } from 'node:crypto'
import { renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolderSync, sync } from '@fonds/toolbox/disk'
import { StorageRootError } from '../errors.ts'
import { configOf, extensionIn, layoutFile, layoutIn, rootDeclaration, rootFiles } from './declaration.ts'
import { exists, namesIn, newTree, replaceSynced, textIn } from './disk.ts'
import { defaultLayout, type LayoutConfig } from './layout.ts'

/* The declaration and the layout of a storage root on disk. */

/** The layout of the root. A folder that is missing or empty becomes a root. */
export const ensureStorageRoot = (root: string, layout: LayoutConfig = defaultLayout): LayoutConfig => {
  const names = namesIn(root)
  if (names.includes(rootDeclaration)) return readLayout(root)
  const other = names.find((name) => name.startsWith('0='))
  if (other) throw new StorageRootError(`${root} says ${other}: only roots of OCFL 1.1 are written`)
  const strange = names.find((name) => !ofBeginning.test(name))
  if (strange)
    throw new StorageRootError(
      `${root} holds ${strange}, and nothing says that it is an OCFL storage root; name an empty folder, such as ${join(root, 'storage')}`,
    )
  if (names.length > 0) createWithin(root, layout)
  else createRoot(root, layout)
  return readLayout(root)
}

/** Names of files that `createWithin` leaves if it is killed. */
const ofBeginning = /^(extensions|ocfl_layout\.json(\.next)?|0=ocfl_1\.1\.next)$/

/**
 * Makes a root in a mount point, which cannot be replaced by a rename. The root declaration is written last;
 * until then the folder is not a root.
 */
const createWithin = (root: string, layout: LayoutConfig): void => {
  try {
    for (const [path, content] of rootFiles(layout)) {
      const folder = dirname(join(root, path))
      makeFolderSync(folder)
      replaceSynced(join(root, path), content)
      for (let one = folder; one.length > root.length; one = dirname(one)) sync(one)
      sync(root)
    }
  } catch (error) {
    // Another process was faster.
    if (!exists(join(root, rootDeclaration))) throw error
  }
}

/** Makes a root beside its place and moves it there, so that it is complete from the first moment. */
const createRoot = (root: string, layout: LayoutConfig): void => {
  makeFolderSync(dirname(root))
  const next = join(dirname(root), `.${basename(root)}-${randomUUID()}`)
  try {
    const tree = newTree(dirname(next))
    for (const [path, content] of rootFiles(layout)) tree.write(join(next, path), content)
    for (const path of tree.made()) sync(path)
    removeEmptyFolder(root)
    renameSync(next, root)
    sync(dirname(root))
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    if (isSystemError(error, 'EBUSY')) createWithin(root, layout)
    // Another process was faster.
    else if (!exists(join(root, rootDeclaration))) throw error
  }
}

const removeEmptyFolder = (folder: string): void => {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
  }
}

/** Throws `StorageRootError`. */
export const readLayout = (root: string): LayoutConfig => {
  const text = (path: string) => textIn(join(root, path))
  const extension = extensionIn(text(layoutFile), root)
  return layoutIn(text(configOf(extension)), extension, root)
}
