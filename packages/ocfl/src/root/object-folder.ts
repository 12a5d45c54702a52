import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sync } from '@fonds/toolbox/disk'
import { DamagedObject, MissingFile } from '../errors.ts'
import { contentOf, type Inventory } from '../inventory.ts'
import {
  digestIn,
  inventoryFile,
  objectDeclaration,
  objectDeclarationText,
  parseInventory,
  type ReadInventory,
  sha256,
  sidecar,
  textOfSidecar,
  wrongSidecar,
} from '../read-inventory.ts'
import { type NewTree, replaceSynced, textIn } from './disk.ts'

/* Files of an object's folder beside its content. */

/** Returns undefined if there is no object. Throws `DamagedObject` and `OtherDigests`. */
export const readInventory = (folder: string): ReadInventory | undefined => {
  const text = textIn(join(folder, inventoryFile))
  if (text === undefined) return undefined
  const read = parseInventory(text, folder)
  if (digestIn(textIn(join(folder, sidecar))) !== read.digest) throw wrongSidecar(folder)
  return read
}

interface Content {
  readonly place: string
  /** Bytes. */
  readonly size: number
}

/** Finds the bytes of a file. Throws `DamagedObject`, and `MissingFile` if they are missing. */
export const contentAt = (folder: string, inventory: Inventory, path: string, sha256: string): Content => {
  const listed = contentOf(inventory, sha256)
  if (listed === undefined) throw new DamagedObject(`the inventory in ${folder} lists no bytes of ${path}`)
  const place = join(folder, listed)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found) return { place, size: found.size }
  throw new MissingFile(
    `its file ${path} is missing: ${place} is not there; put it back from a copy of the object, then try again`,
  )
}

export const declareObject = (tree: NewTree, folder: string): void =>
  tree.write(join(folder, objectDeclaration), objectDeclarationText)

/** Writes the inventory and its sidecar as new files of a folder. Returns the digest. */
export const writeInventory = (tree: NewTree, folder: string, text: string): string => {
  const digest = sha256(text)
  tree.write(join(folder, inventoryFile), text)
  tree.write(join(folder, sidecar), textOfSidecar(digest))
  return digest
}

/** Makes the inventory of a version the object's. May be repeated. */
export const promoteInventory = (object: string, version: string): void => {
  for (const file of [inventoryFile, sidecar])
    replaceSynced(join(object, file), readFileSync(join(object, version, file), 'utf8'))
  sync(object)
}
