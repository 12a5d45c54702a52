import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addedVersion } from '../added.ts'
import { DamagedObject, MissingFile } from '../errors.ts'
import { asOf, stateOf, versionNumber } from '../inventory.ts'
import type {
  AddedVersion,
  HeldObject,
  ListedObject,
  NewVersion,
  SetAsideCopy,
  StoredFile,
  StoredVersion,
} from '../types.ts'
import { textIn } from './disk.ts'
import { heldObject, listObjects } from './held.ts'
import { type LayoutConfig, objectFolders } from './layout.ts'
import { contentAt, readInventory } from './object-folder.ts'
import { ensureStorageRoot } from './root.ts'
import { copiesAside, setAside } from './set-aside.ts'
import { createStaging, type StagingLimits, usualStaging } from './staging.ts'
import { type Breathe, type ObjectPlace, writeVersion } from './write-version.ts'

export interface StorageRootOptions {
  /** Absolute. */
  readonly root: string
  /** Layout of a new root; an existing one keeps its own. */
  readonly layout?: LayoutConfig
  /** Unique to this process: the name of its folder below that of the staging. The threads of a process share it. */
  readonly process: string
  /** Location of staging, and times after which other processes' writes are taken over. */
  readonly staging?: StagingLimits
}

/**
 * A storage root. Calls block, for a thread that does nothing else: one write at a time. They throw
 * `InvalidVersion`, `VersionConflict`, `DamagedObject`, `OtherDigests`, `PlaceTaken`, and errors of the file
 * system.
 */
export interface StorageRoot {
  /** Puts back objects that ended processes left out of place, and removes those processes' leftovers. */
  recover(): Promise<void>
  /**
   * Writes the next version. All of it is on disk before it is moved into place, and a killed process leaves
   * the root as it was. Writing the same again returns the existing version. Throws the reason of the signal
   * if it is aborted before.
   */
  write(asked: NewVersion, options?: WriteOptions): Promise<StoredVersion>
  /** The last version; undefined if there is no such object. */
  head(object: string): Promise<StoredVersion | undefined>
  /** Files of the last or the given version, sorted by path; undefined if there is none. */
  files(object: string, version?: number): Promise<readonly StoredFile[] | undefined>
  /** All versions, and files of the object's folder that belong to none; undefined if there is no object. */
  inspect(object: string): Promise<HeldObject | undefined>
  /**
   * Objects in the order of their folders, after `after`, which may be any text. Fewer than `limit`: no more
   * follow.
   */
  list(after: string, limit: number): Promise<readonly ListedObject[]>
  /**
   * Takes the versions after `keep` out of the object, or all of it if `keep` is 0. Returns the folder of a
   * copy of the whole object, `<root>.set-aside/…`, which is made first; undefined if there is nothing to
   * take out. May be repeated.
   */
  setAside(object: string, keep: number): Promise<string | undefined>
  /** Copies that were set aside, of one object or of all, the oldest head first. */
  aside(object?: string): Promise<readonly SetAsideCopy[]>
  /**
   * Files that a version brought, by the inventory with that SHA-256; undefined if there is no object. Throws `DamagedObject` if the
   * object has no such inventory.
   */
  added(object: string, version: number, inventoryDigest: string): Promise<AddedVersion | undefined>
  /** A file of a version, and the absolute path of its bytes; undefined if there is none. */
  find(object: string, path: string, version?: number): Promise<FoundFile | undefined>
}

export interface WriteOptions {
  readonly signal?: AbortSignal
  /** Awaited between blocking calls, so that a thread may process messages. If it throws, the write ends. */
  readonly breathe?: Breathe
}

interface FoundFile extends StoredFile {
  readonly place: string
}

/** Throws `StorageRootError` if the folder cannot be used. */
export const openStorageRoot = ({
  root,
  layout: wanted,
  process,
  staging: limits = usualStaging,
}: StorageRootOptions): StorageRoot => {
  const layout = ensureStorageRoot(root, wanted)
  const staging = createStaging(root, process, limits)

  const find = async (object: string): Promise<ObjectPlace> => {
    const folders = objectFolders(object, layout)
    const place = { folders, folder: join(root, ...folders) }
    const read = () => {
      const found = readInventory(place.folder)
      if (found && found.inventory.id !== object)
        throw new DamagedObject(`${place.folder} holds the object ${found.inventory.id}`)
      return found
    }
    for (let tries = 0; ; tries++) {
      const found = read()
      if (found) return { ...place, found }
      // It is out of its place while a version is added, or back in it since it was looked for.
      if (!(await staging.isUnderWay(folders))) return { ...place, found: read() }
      if (tries === maxTries) throw new DamagedObject(`${place.folder} cannot be restored to its place`)
      await setTimeout(Math.min(2 ** tries, pauseMillis))
    }
  }

  /** Finds the last or the given version; undefined if there is none. */
  const findVersion = async (object: string, version: number | undefined) => {
    const { found, folder } = await find(object)
    const inventory = version === undefined ? found?.inventory : asOf(found?.inventory, version)
    return inventory && { inventory, folder }
  }

  return {
    recover: staging.recover,
    write: (asked, { signal, breathe = async () => {} } = {}) =>
      withRetry(async () =>
        writeVersion(asked, await find(asked.object), { root, staging, breathe, signal }),
      ),
    head: async (object) => {
      const { found } = await find(object)
      if (!found) return undefined
      const { inventory, digest } = found
      const version = versionNumber(inventory.head)
      return { object, version, inventoryDigest: digest, files: stateOf(inventory).size, added: 0 }
    },
    files: (object, version) =>
      withRetry(async () => {
        const found = await findVersion(object, version)
        if (!found) return undefined
        const { folder, inventory } = found
        return [...stateOf(inventory)]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([path, sha256]) => ({ path, size: contentAt(folder, inventory, path, sha256).size, sha256 }))
      }),
    inspect: async (object) => {
      const { found, folder } = await find(object)
      return found && heldObject(folder, found.inventory)
    },
    list: async (after, limit) => listObjects(root, after, limit),
    setAside: async (object, keep) => {
      const place = await find(object)
      return place.found && setAside(place, keep, { root, staging })
    },
    aside: async (object) => copiesAside(root, object, object && objectFolders(object, layout).at(-1)),
    added: async (object, version, inventoryDigest) => {
      const folders = objectFolders(object, layout)
      // Waits for an object that is out of its place. A damaged inventory at its top is not the only one.
      await find(object).catch((error: unknown) => {
        if (!(error instanceof DamagedObject)) throw error
      })
      return addedVersion({ object, version, inventoryDigest }, folders.join('/'), async (place) =>
        textIn(join(root, ...folders, place)),
      )
    },
    find: (object, path, version) =>
      withRetry(async () => {
        const found = await findVersion(object, version)
        const sha256 = found && stateOf(found.inventory).get(path)
        return sha256
          ? { path, sha256, ...contentAt(found.folder, found.inventory, path, sha256) }
          : undefined
      }),
  }
}

/**
 * Tries to find an object that is out of its place: they last longer than the time after which another
 * process puts it back.
 */
const maxTries = 200
const pauseMillis = 100

/** Repeats the call if bytes are missing: their object may have been out of its place for a moment. */
const withRetry = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error
    return read()
  }
}
