import { randomUUID } from 'node:crypto'
import { DamagedObject, InvalidVersion, OtherDigests, VersionConflict } from '../errors.ts'
import { versionNumber } from '../inventory.ts'
import { inventoryFile, parseInventory } from '../read-inventory.ts'
import type { SetAsideCopy } from '../types.ts'
import { type Bucket, bytesOf, keysBelow, readText } from './bucket.ts'
import { copyKey } from './copy-key.ts'
import { foldersWith } from './folders.ts'
import type { Cutting, Journals } from './journals.ts'
import { type FoundObject, type RootInventory, readRootInventory } from './object-keys.ts'
import type { PutLimits } from './put-content.ts'
import { recoverWrite } from './recover.ts'
import type { ObjectPlace } from './write-version.ts'

interface Tools {
  readonly bucket: Bucket
  readonly journals: Journals
  readonly limits: PutLimits
  /** Prefix of the copies, beside the root, as a root has nothing but objects. Ends with a slash. */
  readonly aside: string
}

/**
 * Takes the versions behind `keep` out of an object, or all of it if `keep` is 0. Returns the prefix of a copy of the
 * whole object; undefined if there are none. Throws `InvalidVersion` and `VersionConflict`.
 */
export const setAside = async (
  { folders, folder }: ObjectPlace,
  found: FoundObject,
  keep: number,
  tools: Tools,
): Promise<string | undefined> => {
  const { bucket, journals, aside } = tools
  const versions = Object.keys(found.inventory.versions)
  if (!versions.some((name) => versionNumber(name) > keep)) return undefined
  const last = await inventoryOf(keep, versions, folder, bucket)
  // A copy that a killed process began is continued: the same object has the same name.
  const name = `${folders.at(-1)}-v${versionNumber(found.inventory.head)}-${found.digest.slice(0, 32)}`
  const copy = `${aside}${name}/`
  const journal: Cutting = { kind: 'cut', folders, copy, before: found.digest, inventory: last?.digest }
  const key = await journals.begin(randomUUID(), journal)
  try {
    await copyAside(folder, copy, tools)
    journals.failIfInDoubt()
    await takeBack(folder, found, last, bucket)
    await recoverWrite(bucket, folder, journal)
    await journals.end(key)
  } catch (error) {
    journals.abandon(key)
    throw error
  }
  return copy
}

/** The inventory of the version that becomes the last; undefined if none is to stay. */
const inventoryOf = async (
  keep: number,
  versions: readonly string[],
  folder: string,
  bucket: Bucket,
): Promise<Omit<RootInventory, 'etag'> | undefined> => {
  if (keep === 0) return undefined
  const last = versions.find((name) => versionNumber(name) === keep)
  const found = last === undefined ? undefined : await readText(bucket, `${folder}${last}/${inventoryFile}`)
  if (!found)
    throw new InvalidVersion(
      `storage has no inventory of version ${keep}, so it cannot go back to that version`,
    )
  return { ...parseInventory(found.text, folder), text: found.text }
}

/** Makes that inventory the object's, or removes the object's if none is to stay. */
const takeBack = async (
  folder: string,
  found: FoundObject,
  last: Omit<RootInventory, 'etag'> | undefined,
  bucket: Bucket,
): Promise<void> => {
  const key = folder + inventoryFile
  if (last) {
    await bucket.put(key, bytesOf(last.text), { ifMatch: found.etag })
    return
  }
  // Not all servers keep a condition of a deletion.
  const now = await readRootInventory(bucket, folder)
  if (now && now.etag !== found.etag) throw new VersionConflict(versionNumber(now.inventory.head))
  await bucket.delete(key)
}

/** The copy's inventory comes last: a copy without one is not whole. */
const copyAside = async (folder: string, copy: string, { bucket, limits }: Tools): Promise<void> => {
  if (await bucket.head(copy + inventoryFile)) return
  const keys = (await keysBelow(bucket, folder)).map(({ key }) => key.slice(folder.length))
  const last = (name: string): number => (name === inventoryFile ? 1 : 0)
  for (const name of keys.toSorted((one, other) => last(one) - last(other)))
    await copyKey(bucket, folder + name, copy + name, limits)
}

/** Copies of one object, whose names begin with `name`, or of all, the oldest head first. */
export const copiesAside = async (
  bucket: Bucket,
  aside: string,
  object?: string,
  name = '',
): Promise<readonly SetAsideCopy[]> => {
  const names: string[] = []
  for await (const folder of foldersWith(bucket, { prefix: aside, depth: 1, file: inventoryFile, after: '' }))
    if (folder.startsWith(name)) names.push(folder)
  const found: SetAsideCopy[] = []
  for (const folder of names.toSorted((one, other) => headOf(one) - headOf(other))) {
    const held = await idIn(bucket, `${aside}${folder}/`)
    if (held !== undefined && (object === undefined || held === object))
      found.push({ object: held, folder: `${aside}${folder}/` })
  }
  return found
}

const headOf = (copy: string): number => Number(/-v(\d+)-[^-]*$/.exec(copy)?.[1] ?? 0)

/** Id of the object below a prefix; undefined if it cannot be read. */
export const idIn = async (bucket: Bucket, folder: string): Promise<string | undefined> => {
  try {
    return (await readRootInventory(bucket, folder))?.inventory.id
  } catch (error) {
    if (error instanceof DamagedObject || error instanceof OtherDigests) return undefined
    throw error
  }
}
