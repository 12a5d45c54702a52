import { contentFolder } from '../inventory.ts'
import { inventoryFile, knownFiles, objectDeclaration, parseInventory, sidecar } from '../read-inventory.ts'
import { type Bucket, keysBelow, readText } from './bucket.ts'
import type { Adding, Cutting, Journal } from './journals.ts'
import { finishObject, type RootInventory, readRootInventory } from './object-keys.ts'
import { removeBelow } from './remove-below.ts'
import { dropStage } from './stages.ts'

/**
 * Finishes the write of a journal if its inventory is that of the object, else removes its files. May be repeated.
 * `folder`: prefix of the object's keys.
 */
export const recoverWrite = async (bucket: Bucket, folder: string, journal: Journal): Promise<void> => {
  const root = await readRootInventory(bucket, folder)
  if (root && root.digest === journal.inventory) {
    const beside = await readText(bucket, folder + sidecar)
    await finishObject(bucket, folder, root, beside?.etag)
    if (journal.kind === 'add') for (const record of journal.adopts ?? []) await dropStage(bucket, record)
  }
  if (journal.kind === 'add') await removeContent(bucket, folder, journal, root)
  else await removeCut(bucket, folder, journal, root)
}

/** No other write has put below its folder: what the inventory does not list is removed. */
const removeContent = async (
  bucket: Bucket,
  folder: string,
  { version, write }: Adding,
  root: RootInventory | undefined,
): Promise<void> => {
  const below = `${folder}${version}/${contentFolder}/${write}/`
  const listed = new Set(Object.values(root?.inventory.manifest ?? {}).flat())
  await removeBelow(bucket, below, (key) => listed.has(key.slice(folder.length)))
}

/**
 * Removes a copy that is not whole: nothing was taken out. Else removes what the copy has and the object has no
 * longer, once its inventory is another one.
 */
const removeCut = async (
  bucket: Bucket,
  folder: string,
  { copy, before }: Cutting,
  root: RootInventory | undefined,
): Promise<void> => {
  const text = (await readText(bucket, copy + inventoryFile))?.text
  if (text === undefined) return removeBelow(bucket, copy)
  if (root?.digest === before) return
  const { versions } = parseInventory(text, copy).inventory
  const kept = root && knownFiles(root.inventory)
  const ofCutVersion = (name: string): boolean => {
    const [first = ''] = name.split('/', 1)
    return first in versions && !(first in (root?.inventory.versions ?? {}))
  }
  for (const { key } of await keysBelow(bucket, copy)) {
    const name = key.slice(copy.length)
    if (kept ? ofCutVersion(name) && !kept.has(name) : !isLast(name)) await bucket.delete(folder + name)
  }
  // Without them nothing is an object any more; the declaration says where to look until the rest is removed.
  if (!root) for (const name of [sidecar, objectDeclaration]) await bucket.delete(folder + name)
}

const isLast = (name: string): boolean => [sidecar, objectDeclaration, inventoryFile].includes(name)
