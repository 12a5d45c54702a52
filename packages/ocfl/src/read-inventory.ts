import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { DamagedObject, OtherDigests } from './errors.ts'
import { asInventory, type Inventory } from './inventory.ts'

/* Texts of inventories and their sidecars. */

export const inventoryFile = 'inventory.json'
export const sidecar = `${inventoryFile}.sha256`
export const objectDeclaration = '0=ocfl_object_1.1'
export const objectDeclarationText = 'ocfl_object_1.1\n'

/** True for the declaration of an object of any version of OCFL. */
export const declaresObject = (file: string): boolean => file.startsWith('0=ocfl_object_')

export interface ReadInventory {
  readonly inventory: Inventory
  /** Lower-case hex. */
  readonly digest: string
}

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

export const textOfInventory = (inventory: Inventory): string =>
  `${JSON.stringify(inventory, undefined, 1)}\n`

export const textOfSidecar = (digest: string): string => `${digest} ${inventoryFile}\n`

/** The digest in a sidecar, lower-case hex. */
export const digestIn = (text: string | undefined): string | undefined =>
  text?.split(/\s/, 1)[0]?.toLowerCase()

/** Reads the text of the inventory of a folder. Throws `DamagedObject` and `OtherDigests`. */
export const parseInventory = (text: string, folder: string): ReadInventory => {
  const inventory = parsed(text, folder)
  if (inventory.digestAlgorithm !== 'sha256')
    throw new OtherDigests(
      `${folder} was written with ${inventory.digestAlgorithm}; only sha256 is read and written`,
    )
  return { inventory, digest: sha256(text) }
}

const parsed = (text: string, folder: string): Inventory => {
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

export const wrongSidecar = (folder: string): DamagedObject =>
  new DamagedObject(`${inventoryFile} in ${folder} does not have the digest that is written beside it`)

/** Folders that an object may have beside its versions (OCFL 1.1, 3.1). */
export const besideVersions = ['logs', 'extensions']

/** Files that an object consists of beside its declaration, from its folder. */
export const knownFiles = ({ manifest, versions }: Inventory): ReadonlySet<string> => {
  const known = new Set(Object.values(manifest).flat())
  for (const version of ['', ...Object.keys(versions)])
    for (const name of [inventoryFile, sidecar]) known.add(posix.join(version, name))
  return known
}
