import { DamagedObject, MissingFile } from '../errors.ts'
import { contentOf, type Inventory } from '../inventory.ts'
import {
  digestIn,
  inventoryFile,
  objectDeclaration,
  objectDeclarationText,
  parseInventory,
  type ReadInventory,
  sidecar,
  textOfSidecar,
  wrongSidecar,
} from '../read-inventory.ts'
import { type Bucket, bytesOf, ConditionFailed, putIfMissing, readText } from './bucket.ts'
import type { Journals } from './journals.ts'

/*
 * Files of an object. Its inventory makes a version visible; the other files that say the same follow it: the
 * version's own inventory, the sidecars and, with the first version, the declaration.
 */

/** An inventory as it stands at the top of an object. */
export interface RootInventory extends ReadInventory {
  readonly text: string
  readonly etag: string
}

export interface FoundObject extends RootInventory {
  /** False while files that follow the inventory may be those of the version before, or missing. */
  readonly isFinished: boolean
  /** Undefined if there is none. */
  readonly sidecarEtag: string | undefined
}

/** The inventory alone. Throws `DamagedObject` and `OtherDigests`. */
export const readRootInventory = async (
  bucket: Bucket,
  folder: string,
): Promise<RootInventory | undefined> => {
  const found = await readText(bucket, folder + inventoryFile)
  return found && { ...parseInventory(found.text, folder), text: found.text, etag: found.etag }
}

const maxTries = 5

/**
 * The object, checked by its sidecar, or by the journal of the write that is about to put that. `folder` ends with
 * a slash. Throws `DamagedObject` and `OtherDigests`.
 */
export const findObject = async (
  bucket: Bucket,
  folder: string,
  journals: Journals,
): Promise<FoundObject | undefined> => {
  for (let tries = 1; ; tries++) {
    const found = await readRootInventory(bucket, folder)
    if (!found) return undefined
    const beside = await readText(bucket, folder + sidecar)
    const sidecarEtag = beside?.etag
    if (digestIn(beside?.text) === found.digest) return { ...found, isFinished: true, sidecarEtag }
    const underWay = await journals.all()
    if (underWay.some(({ journal }) => journal.inventory === found.digest))
      return { ...found, isFinished: false, sidecarEtag }
    // The write may have ended between the two readings.
    if (tries === maxTries) throw wrongSidecar(folder)
  }
}

/**
 * Puts the files that follow the inventory. May be repeated, and by several processes at once.
 * `sidecarEtag`: of the sidecar that stands there; undefined if there is none.
 */
export const finishObject = async (
  bucket: Bucket,
  folder: string,
  { text, digest, inventory }: Omit<RootInventory, 'etag'>,
  sidecarEtag: string | undefined,
): Promise<void> => {
  const version = `${folder}${inventory.head}/`
  await Promise.all([
    putText(bucket, version + inventoryFile, text),
    putText(bucket, version + sidecar, textOfSidecar(digest)),
    putIfMissing(bucket, folder + objectDeclaration, objectDeclarationText),
  ])
  await putSidecar(bucket, folder, digest, sidecarEtag)
}

const putText = async (bucket: Bucket, key: string, text: string): Promise<void> => {
  const found = await putIfMissing(bucket, key, text)
  if (found !== undefined && found !== text) await bucket.put(key, bytesOf(text))
}

/** A process that was slow does not replace the sidecar of a later version. */
const putSidecar = async (
  bucket: Bucket,
  folder: string,
  digest: string,
  etag: string | undefined,
): Promise<void> => {
  const key = folder + sidecar
  const bytes = bytesOf(textOfSidecar(digest))
  let before = etag
  let isMarked = false
  for (let tries = 1; ; tries++)
    try {
      await bucket.put(
        key,
        bytes,
        isMarked ? {} : before === undefined ? { ifNoneMatch: '*' } : { ifMatch: before },
      )
      return
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries === maxTries) throw error
      const found = await readText(bucket, key)
      if (digestIn(found?.text) === digest) return
      if ((await readRootInventory(bucket, folder))?.digest !== digest) return
      isMarked = !found && before === undefined
      before = found?.etag
    }
}

/** The key of a file's bytes. Throws `DamagedObject`. */
export const contentKey = (folder: string, inventory: Inventory, path: string, sha256: string): string => {
  const listed = contentOf(inventory, sha256)
  if (listed === undefined) throw new DamagedObject(`the inventory in ${folder} lists no bytes of ${path}`)
  return folder + listed
}

export const missingFile = (path: string, key: string): MissingFile =>
  new MissingFile(
    `its file ${path} is missing: ${key} is not there; put it back from a copy of the object, then try again`,
  )
