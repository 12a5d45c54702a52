import { DamagedObject } from './errors.ts'
import { type Inventory, versionName } from './inventory.ts'
import {
  digestIn,
  inventoryFile,
  objectDeclaration,
  objectDeclarationText,
  parseInventory,
  sha256,
  sidecar,
  textOfSidecar,
} from './read-inventory.ts'
import type { AddedVersion, RecordFile } from './types.ts'

/** Reads a small file of the object's folder as text; undefined if it is not there. */
export type TextOf = (place: string) => Promise<string | undefined>

/** The version that is asked for. */
export interface VersionAsked {
  readonly object: string
  readonly version: number
  /** SHA-256 of its inventory, as it was when the version was stored. */
  readonly inventoryDigest: string
}

/**
 * Returns what a version brought into the object's folder, by the inventory with that digest: no other one is believed.
 * Undefined if there is no inventory at all. Throws `DamagedObject` if there is none with that digest.
 */
export const addedVersion = async (
  asked: VersionAsked,
  folder: string,
  textOf: TextOf,
): Promise<AddedVersion | undefined> => {
  const { version, inventoryDigest } = asked
  const found = await findInventory(asked, textOf)
  if (!found) return undefined
  const { inventory, name, size } = found
  const own = `${name}/`
  const files = Object.entries(inventory.manifest).flatMap(([digest, places]) =>
    places.filter((place) => place.startsWith(own)).map((place) => ({ place, sha256: digest.toLowerCase() })),
  )
  const inventoryAt = (place: string): RecordFile => ({ place, sha256: inventoryDigest, size })
  const besideIt = async (place: string): Promise<RecordFile> => {
    const text = await textOf(place)
    return recordOf(
      place,
      digestIn(text) === inventoryDigest && text !== undefined ? text : textOfSidecar(inventoryDigest),
    )
  }
  return {
    object: asked.object,
    version,
    folder,
    files,
    records: [inventoryAt(own + inventoryFile), await besideIt(own + sidecar)],
    shared: [inventoryAt(inventoryFile), await besideIt(sidecar), await declaration(textOf)],
  }
}

interface FoundInventory {
  readonly inventory: Inventory
  /** Name of the version. */
  readonly name: string
  /** Bytes of the inventory. */
  readonly size: number
}

/** The version's own copy is kept when later versions come; the object's is the same while the version is the last. */
const findInventory = async (
  { object, version, inventoryDigest }: VersionAsked,
  textOf: TextOf,
): Promise<FoundInventory | undefined> => {
  const top = await textOf(inventoryFile)
  const name = versionName(version, headIn(top))
  const own = await textOf(`${name}/${inventoryFile}`)
  if (top === undefined && own === undefined) return undefined
  const text = [own, top].find((one) => one !== undefined && sha256(one) === inventoryDigest)
  if (text === undefined)
    throw new DamagedObject(
      `${object} has no inventory of version ${version} with the digest that it was stored with, ${inventoryDigest}`,
    )
  return { inventory: parseInventory(text, object).inventory, name, size: Buffer.byteLength(text) }
}

/** Names of versions have one width in an object; undefined where the inventory cannot be read. */
const headIn = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : parseInventory(text, '').inventory.head
  } catch {
    return undefined
  }
}

/** The declaration that is there, if it says what its name does; else that of OCFL 1.1. */
const declaration = async (textOf: TextOf): Promise<RecordFile> => {
  for (const name of [objectDeclaration, '0=ocfl_object_1.0']) {
    const text = await textOf(name)
    if (text?.trim() === name.slice(2)) return recordOf(name, text)
  }
  return recordOf(objectDeclaration, objectDeclarationText)
}

const recordOf = (place: string, text: string): RecordFile => ({
  place,
  sha256: sha256(text),
  size: Buffer.byteLength(text),
})
