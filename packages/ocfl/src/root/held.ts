import { type Dirent, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { DamagedObject, OtherDigests } from '../errors.ts'
import { type Inventory, versionNumber } from '../inventory.ts'
import { besideVersions, declaresObject, inventoryFile, knownFiles, sha256 } from '../read-inventory.ts'
import type { HeldObject, HeldVersion, ListedObject } from '../types.ts'
import { textIn } from './disk.ts'
import { readInventory } from './object-folder.ts'

/* Lists and inspects objects, written by any program. */

export const heldObject = (folder: string, inventory: Inventory): HeldObject => ({
  object: inventory.id,
  versions: Object.keys(inventory.versions)
    .map((name) => heldVersion(folder, name))
    .sort((one, other) => one.version - other.version),
  strays: strays(folder, inventory),
})

const heldVersion = (folder: string, name: string): HeldVersion => {
  const text = textIn(join(folder, name, inventoryFile))
  return { version: versionNumber(name), inventoryDigest: text === undefined ? undefined : sha256(text) }
}

const strays = (folder: string, inventory: Inventory): readonly string[] => {
  const known = knownFiles(inventory)
  const found: string[] = []
  const walk = (below: string): void => {
    for (const entry of entriesOf(below)) {
      const path = join(below, entry.name)
      const name = relative(folder, path)
      if (entry.isDirectory()) {
        if (!besideVersions.includes(name)) walk(path)
      } else if (!known.has(name) && !declaresObject(name)) found.push(name)
    }
  }
  walk(folder)
  return found.sort()
}

/** Objects below the root in the order of their folders; those whose folder comes after `after`. */
export const listObjects = (root: string, after: string, limit: number): readonly ListedObject[] => {
  const found: ListedObject[] = []
  for (const folder of objectFoldersAfter(root, after.split('/'))) {
    if (found.length === limit) break
    found.push({ place: relative(root, folder), object: idIn(folder) })
  }
  return found
}

/** Id of the object in the folder; undefined if it cannot be read. */
export const idIn = (folder: string): string | undefined => {
  try {
    return readInventory(folder)?.inventory.id
  } catch (error) {
    if (error instanceof DamagedObject || error instanceof OtherDigests) return undefined
    throw error
  }
}

/**
 * Reads each folder once, and only those that lead to folders after `after`. `isOnWay`: all names so far are
 * those of `after`.
 */
function* objectFoldersAfter(root: string, after: readonly string[]): Generator<string> {
  const below = function* (
    folder: string,
    [first = '', ...rest]: readonly string[],
    isOnWay: boolean,
  ): Generator<string> {
    const entries = entriesOf(folder)
    if (entries.some(({ name }) => declaresObject(name))) {
      if (!isOnWay) yield folder
      return
    }
    const names = entries
      .filter((entry) => entry.isDirectory() && entry.name >= first)
      .map(({ name }) => name)
      .sort()
    for (const name of names) {
      const isNext = isOnWay && name === first
      if (folder !== root || name !== 'extensions')
        yield* below(join(folder, name), isNext ? rest : [], isNext)
    }
  }
  yield* below(root, after, true)
}

/** Returns none if the folder is missing: objects may move during a listing. */
const entriesOf = (folder: string): readonly Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
