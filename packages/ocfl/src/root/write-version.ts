import { statSync } from 'node:fs'
import { join } from 'node:path'
import { syncAll } from '@fonds/toolbox/disk'
import { InvalidVersion, PlaceTaken, VersionConflict } from '../errors.ts'
import {
  asOf,
  isRepeat,
  type NextVersion,
  nextInventory,
  stateOf,
  versionName,
  versionNumber,
} from '../inventory.ts'
import { type ReadInventory, textOfInventory } from '../read-inventory.ts'
import type { NewVersion, SourceFile, StoredVersion } from '../types.ts'
import { type NewTree, newTree } from './disk.ts'
import { contentAt, declareObject, readInventory, writeInventory } from './object-folder.ts'
import { countThere, moveBelow } from './place.ts'
import type { Staging } from './staging.ts'

/** Place of an object, which may not exist yet. */
export interface ObjectPlace {
  /** From the root down to it. */
  readonly folders: readonly string[]
  readonly folder: string
  readonly found: ReadInventory | undefined
}

interface Tools {
  readonly root: string
  readonly staging: Staging
  readonly breathe: Breathe
  readonly signal: AbortSignal | undefined
}

/** Awaited between blocking calls. If it throws, the write ends. */
export type Breathe = () => Promise<void>

/**
 * Makes the version beside the object, all of it on disk, and moves it to its place. Throws `InvalidVersion`,
 * `VersionConflict` and `MissingFile`.
 */
export const writeVersion = async (
  asked: NewVersion,
  place: ObjectPlace,
  tools: Tools,
): Promise<StoredVersion> => {
  const { object, basedOn } = asked
  const { found } = place
  const head = found ? versionNumber(found.inventory.head) : 0
  const next = nextInventory(asOf(found?.inventory, basedOn), asked.files, asked)
  if ('error' in next) throw new InvalidVersion(next.error)
  const { inventory, content, files } = next
  if (found && head === basedOn + 1 && isRepeat(found.inventory, inventory))
    return { object, version: head, inventoryDigest: found.digest, files, added: 0 }
  if (head !== basedOn) throw new VersionConflict(head)

  failUnlessHeld(place.folder, next)
  const inventoryDigest = found ? await addVersion(place, next, tools) : await placeObject(place, next, tools)
  const added = content.reduce((sum, { source }) => sum + source.size, 0)
  return { object, version: head + 1, inventoryDigest, files, added }
}

const addVersion = ({ folders }: ObjectPlace, next: NextVersion, tools: Tools): Promise<string> =>
  tools.staging.use(async (folder) => {
    const { staging } = tools
    const { head } = next.inventory
    const tree = newTree(folder)
    const digest = await makeVersion(tree, staging.nextOf(folder), next, tools)
    await syncTree(tree, tools)
    const version = versionNumber(head)
    const following = versionName(version + 1, head)
    if (!(await staging.addVersion(folder, { folders, version: head, following })))
      throw new VersionConflict(version)
    return digest
  })

const placeObject = ({ folders }: ObjectPlace, next: NextVersion, tools: Tools): Promise<string> =>
  tools.staging.useForNew(async (folder) => {
    const { root } = tools
    const there = countThere(root, folders)
    const placed = join(folder, ...folders.slice(there))
    const tree = newTree(folder)
    const digest = await makeVersion(tree, join(placed, next.inventory.head), next, tools)
    declareObject(tree, placed)
    writeInventory(tree, placed, textOfInventory(next.inventory))
    await syncTree(tree, tools)
    await moveBelow(root, folders, there, folder).catch((error: unknown) => {
      throw asConflict(error, join(root, ...folders), next)
    })
    return digest
  })

/** The place of an object that was not there is taken by it: another process wrote the first version meanwhile. */
const asConflict = (error: unknown, folder: string, { inventory }: NextVersion): unknown => {
  const found = error instanceof PlaceTaken ? readInventory(folder)?.inventory : undefined
  return found?.id === inventory.id ? new VersionConflict(versionNumber(found.head)) : error
}

/** Returns the digest of the inventory. */
const makeVersion = async (
  tree: NewTree,
  folder: string,
  { inventory, content }: NextVersion,
  { breathe }: Tools,
): Promise<string> => {
  for (const { source, place } of content) {
    await breathe()
    tree.link(pathOf(source), join(folder, place))
  }
  return writeInventory(tree, folder, textOfInventory(inventory))
}

const syncTree = async (tree: NewTree, { breathe, signal }: Tools): Promise<void> => {
  await syncAll(tree.made(), breathe)
  signal?.throwIfAborted()
}

/** Checks that the bytes of carried files exist. Throws `MissingFile`. */
const failUnlessHeld = (folder: string, { inventory, content }: NextVersion): void => {
  const brought = new Set(content.map(({ source }) => source.sha256))
  for (const [path, sha256] of stateOf(inventory))
    if (!brought.has(sha256)) contentAt(folder, inventory, path, sha256)
}

/** The path of bytes that are there. Throws `InvalidVersion`. */
const pathOf = ({ from, path, size }: SourceFile): string => {
  if (typeof from !== 'string') throw new InvalidVersion(`the bytes of ${path} are in no file`)
  const found = statSync(from, { throwIfNoEntry: false })
  const reason = !found
    ? 'is not there'
    : !found.isFile()
      ? 'is no file'
      : found.size === size
        ? undefined
        : `has ${found.size} bytes instead of ${size}`
  if (reason) throw new InvalidVersion(`the file of ${path} ${reason}`)
  return from
}
