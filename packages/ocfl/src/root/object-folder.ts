import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sync } from '@fonds/toolbox/disk'
import { DamagedObject, MissingFile, OtherDigests } from '../errors.ts'
import { asInventory, contentOf, type Inventory } from '../inventory.ts'
import { type NewTree, replaceSynced, sha256, textIn } from './disk.ts'

/* Files of an object's folder beside its content. */

const objectDeclaration = '0=ocfl_object_1.1'
/** True for the declaration of an object of any version of OCFL. */
export const declaresObject = (file: string): boolean => file.startsWith('0=ocfl_object_')
export const inventoryFile = 'inventory.json'
export const sidecar = `${inventoryFile}.sha256`

export interface ReadInventory {
  readonly inventory: Inventory
  /** Lower-case hex. */
  readonly digest: string
}

/** Returns undefined if there is no object. Throws `DamagedObject` and `OtherDigests`. */
export const readInventory = (folder: string): ReadInventory | undefined => {
  const text = textIn(join(folder, inventoryFile))
  if (text === undefined) return undefined
  const inventory = parseInventory(text, folder)
  if (inventory.digestAlgorithm !== 'sha256')
    throw new OtherDigests(
      `${folder} was written with ${inventory.digestAlgorithm}; only sha256 is read and written`,
    )
  const digest = sha256(text)
  if (textIn(join(folder, sidecar))?.split(/\s/, 1)[0]?.toLowerCase() !== digest)
    throw new DamagedObject(
      `${inventoryFile} in ${folder} does not have the digest that is written beside it`,
    )
  return { inventory, digest }
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

const parseInventory = (text: string, folder: string): Inventory => {
  try {
    const inventory = asInventory(JSON.parse(text))
    if (!inventory) throw new SyntaxError('it lacks what OCFL 1.1 asks of it')
    return inventory
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new DamagedObject(`${inventoryFile} in ${folder} cannot be read: ${error.message}`)
    throw error
  }
}

export const declareObject = (tree: NewTree, folder: string): void =>
  tree.write(join(folder, objectDeclaration), 'ocfl_object_1.1\n')

/** Writes the inventory and its sidecar as new files of a folder. Returns the digest. */
export const writeInventory = (tree: NewTree, folder: string, text: string): string => {
  const digest = sha256(text)
  tree.write(join(folder, inventoryFile), text)
  tree.write(join(folder, sidecar), `${digest} ${inventoryFile}\n`)
  return digest
}

/** Makes the inventory of a version the object's. May be repeated. */
export const promoteInventory = (object: string, version: string): void => {
  for (const file of [inventoryFile, sidecar])
    replaceSynced(join(object, file), readFileSync(join(object, version, file), 'utf8'))
  sync(object)
}
