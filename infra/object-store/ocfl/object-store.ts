import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { sideBySide } from '../../../src/async/side-by-side.ts'
import type { ObjectStore, ObjectStoreFailure, StoredFile } from '../../../src/ports/object-store.ts'
import { isSystemError } from './disk.ts'
import { asOf, contentOf, type Inventory, stateOf, versionNumber } from './inventory.ts'
import { type LayoutConfig, objectFolders } from './layout.ts'
import { DamagedObject, OtherDigests, readInventory } from './object-folder.ts'
import { PlaceTaken } from './place.ts'
import { openRoot } from './root.ts'
import { openStaging, type StagingLimits } from './staging.ts'
import { Failed, type ObjectPlace, writeVersion } from './write-version.ts'

export interface OcflOptions {
  /** Of a root that is made; one that is there keeps its own. */
  readonly layout?: LayoutConfig
  readonly staging?: StagingLimits
}

/**
 * An OCFL 1.1 storage root on a file system. A process that is killed at any moment leaves a valid root; what it had begun
 * is finished or dropped when the root is opened next. Throws `StorageRootError` where the folder cannot be used.
 */
export const openOcflStore = async (
  folder: string,
  { layout: wanted, staging: limits }: OcflOptions = {},
): Promise<ObjectStore> => {
  const root = resolve(folder)
  const layout = await openRoot(root, wanted)
  const staging = await openStaging(root, limits)

  const find = async (object: string): Promise<ObjectPlace> => {
    const folders = objectFolders(object, layout)
    const place = { folders, folder: join(root, ...folders) }
    const read = async () => {
      const found = await readInventory(place.folder)
      if (found && found.inventory.id !== object)
        throw new DamagedObject(`${place.folder} holds the object ${found.inventory.id}`)
      return found
    }
    for (let tries = 0; ; tries++) {
      const found = await read()
      if (found) return { ...place, found }
      // Out of its place for a moment, while a version is added; or back in it since it was looked for.
      if (!(await staging.isUnderWay(folders))) return { ...place, found: await read() }
      if (tries === maxTries) throw new DamagedObject(`${place.folder} cannot be put back to its place`)
      await setTimeout(Math.min(2 ** tries, pauseMillis))
    }
  }

  /** Of the last version, or of that; undefined where there is none. */
  const findVersion = async (object: string, version: number | undefined) => {
    const { found, folder } = await find(object)
    const inventory = version === undefined ? found?.inventory : asOf(found?.inventory, version)
    return inventory && { inventory, folder }
  }

  return {
    write: (asked, signal) =>
      attempt(asked.object, async () =>
        writeVersion(asked, await find(asked.object), { root, staging }, signal),
      ),
    head: (object) =>
      attempt(object, async () => {
        const { found } = await find(object)
        if (!found) return undefined
        const { inventory, digest } = found
        const version = versionNumber(inventory.head)
        return { object, version, inventoryDigest: digest, files: stateOf(inventory).size, added: 0 }
      }),
    files: (object, version) =>
      attempt(object, async () => {
        const found = await findVersion(object, version)
        if (!found) return undefined
        const names = [...stateOf(found.inventory)].sort(([a], [b]) => (a < b ? -1 : 1))
        const files = new Map<string, StoredFile>()
        await sideBySide(names, filesAtOnce, async ([path, digest]) => {
          const { size } = await stat(contentFile(found, digest))
          files.set(path, { path, size, sha256: digest })
        })
        return names.map(([path]) => files.get(path)!)
      }),
    read: (object, path, version) =>
      attempt(object, async () => {
        const found = await findVersion(object, version)
        const digest = found && stateOf(found.inventory).get(path)
        if (!digest) return undefined
        const file = contentFile(found, digest)
        const { size } = await stat(file)
        return { path, size, sha256: digest, open: () => createReadStream(file) }
      }),
    close: staging.close,
  }
}

const filesAtOnce = 32
/** Of looking for an object that is out of its place: longer than another waits before it puts it back. */
const maxTries = 200
const pauseMillis = 100

const contentFile = (
  { inventory, folder }: { readonly inventory: Inventory; readonly folder: string },
  digest: string,
): string => {
  const place = contentOf(inventory, digest)
  if (place === undefined) throw new DamagedObject(`the inventory in ${folder} lists no bytes of ${digest}`)
  return join(folder, place)
}

/** What the file system or an object says no to becomes a failure; anything else is a bug. */
const attempt =
  <A>(object: string, work: () => Promise<A>): TaskEither<ObjectStoreFailure, A> =>
  async () => {
    try {
      return right(await work())
    } catch (error) {
      if (error instanceof Failed) return left(error.failure)
      if (error instanceof DamagedObject) return left({ kind: 'Damaged', object, reason: error.message })
      if (error instanceof OtherDigests || error instanceof PlaceTaken)
        return left({ kind: 'Invalid', object, reason: error.message })
      if (isSystemError(error)) return left({ kind: 'Unavailable', reason: error.message })
      throw error
    }
  }
