import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { isSystemError, replaceSynced, sha256, sync, writeSynced } from './disk.ts'
import { Inventory } from './inventory.ts'

/* The files of an object's folder beside its content. */

const objectDeclaration = '0=ocfl_object_1.1'
const inventoryFile = 'inventory.json'
const sidecar = `${inventoryFile}.sha256`

/** What is stored is not as it was written; the message says what. */
export class DamagedObject extends Error {
  override readonly name = 'DamagedObject'
}

/** Another program wrote the object, with digests that ours cannot be compared with. */
export class OtherDigests extends Error {
  override readonly name = 'OtherDigests'
}

export interface ReadInventory {
  readonly inventory: Inventory
  /** Lower-case hex. */
  readonly digest: string
}

/** Undefined where there is no object. Throws `DamagedObject` and `OtherDigests`. */
export const readInventory = async (folder: string): Promise<ReadInventory | undefined> => {
  const text = await readOrNone(join(folder, inventoryFile))
  if (text === undefined) return undefined
  const inventory = parseInventory(text, folder)
  if (inventory.digestAlgorithm !== 'sha256')
    throw new OtherDigests(
      `${folder} was written with ${inventory.digestAlgorithm}; Fonds reads and writes sha256`,
    )
  const digest = sha256(text)
  if ((await readOrNone(join(folder, sidecar)))?.split(/\s/, 1)[0]?.toLowerCase() !== digest)
    throw new DamagedObject(
      `${inventoryFile} in ${folder} does not have the digest that is written beside it`,
    )
  return { inventory, digest }
}

const parseInventory = (text: string, folder: string): Inventory => {
  try {
    const decoded = Inventory.decode(JSON.parse(text))
    if (isLeft(decoded)) throw new SyntaxError('it lacks what OCFL 1.1 asks of it')
    return decoded.right
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new DamagedObject(`${inventoryFile} in ${folder} cannot be read: ${error.message}`)
    throw error
  }
}

const readOrNone = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export const declareObject = (folder: string): Promise<void> =>
  writeSynced(join(folder, objectDeclaration), 'ocfl_object_1.1\n')

/** The inventory and its sidecar, as new files of a folder. Gives the digest. */
export const writeInventory = async (folder: string, text: string): Promise<string> => {
  const digest = sha256(text)
  await writeSynced(join(folder, inventoryFile), text)
  await writeSynced(join(folder, sidecar), `${digest} ${inventoryFile}\n`)
  return digest
}

/** The inventory of a version becomes the object's. May be done again. */
export const promoteInventory = async (object: string, version: string): Promise<void> => {
  for (const file of [inventoryFile, sidecar]) {
    await replaceSynced(join(object, file), await readFile(join(object, version, file), 'utf8'))
  }
  await sync(object)
}
