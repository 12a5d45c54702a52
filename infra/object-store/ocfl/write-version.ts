import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { breather } from '../../../src/async/threads/breather.ts'
import type {
  NewVersion,
  ObjectStoreFailure,
  SourceFile,
  StoredVersion,
} from '../../../src/ports/object-store.ts'
import { type NewTree, newTree } from './disk.ts'
import {
  asOf,
  isRepeat,
  type NextVersion,
  nextInventory,
  stateOf,
  versionName,
  versionNumber,
} from './inventory.ts'
import { contentAt, declareObject, type ReadInventory, writeInventory } from './object-folder.ts'
import { countThere, moveBelow } from './place.ts'
import type { Staging } from './staging.ts'

/** Where an object stands, or would. */
export interface ObjectPlace {
  /** From the root down to it. */
  readonly folders: readonly string[]
  readonly folder: string
  readonly found: ReadInventory | undefined
}

/** What is asked for, with all of its files at hand. */
export interface AskedVersion extends NewVersion {
  readonly files: readonly SourceFile[]
}

interface Tools {
  readonly root: string
  readonly staging: Staging
  readonly signal: AbortSignal
}

/** Ends the write. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: ObjectStoreFailure

  constructor(failure: ObjectStoreFailure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Makes the version beside the object, all of it on disk, and moves it to its place. Throws `Failed` and `MissingFile`. */
export const writeVersion = async (
  asked: AskedVersion,
  place: ObjectPlace,
  tools: Tools,
): Promise<StoredVersion> => {
  const { object, basedOn } = asked
  const { found } = place
  const head = found ? versionNumber(found.inventory.head) : 0
  const next = nextInventory(asOf(found?.inventory, basedOn), asked.files, asked)
  if (isLeft(next)) throw new Failed({ kind: 'Invalid', object, reason: next.left })
  const { inventory, content, files } = next.right
  if (found && head === basedOn + 1 && isRepeat(found.inventory, inventory))
    return { object, version: head, inventoryDigest: found.digest, files, added: 0 }
  if (head !== basedOn) throw new Failed({ kind: 'Conflict', object, head })

  failUnlessHeld(place.folder, next.right)
  const inventoryDigest = found
    ? await addVersion(place, next.right, tools)
    : await placeObject(place, next.right, tools)
  const added = content.reduce((sum, { source }) => sum + source.size, 0)
  return { object, version: head + 1, inventoryDigest, files, added }
}

const addVersion = (
  { folders }: ObjectPlace,
  next: NextVersion,
  { staging, signal }: Tools,
): Promise<string> =>
  staging.use(async (folder) => {
    const { id: object, head } = next.inventory
    const tree = newTree(folder)
    const digest = await makeVersion(tree, staging.nextOf(folder), next, signal)
    await syncTree(tree, signal)
    const version = versionNumber(head)
    const following = versionName(version + 1, head)
    if (!(await staging.addVersion(folder, { folders, version: head, following })))
      throw new Failed({ kind: 'Conflict', object, head: version })
    return digest
  })

const placeObject = ({ folders }: ObjectPlace, next: NextVersion, tools: Tools): Promise<string> =>
  tools.staging.useForNew(async (folder) => {
    const { root, signal } = tools
    const there = countThere(root, folders)
    const placed = join(folder, ...folders.slice(there))
    const tree = newTree(folder)
    const digest = await makeVersion(tree, join(placed, next.inventory.head), next, signal)
    declareObject(tree, placed)
    writeInventory(tree, placed, textOf(next))
    await syncTree(tree, signal)
    await moveBelow(root, folders, there, folder)
    return digest
  })

const textOf = ({ inventory }: NextVersion): string => `${JSON.stringify(inventory, undefined, 1)}\n`

/** Gives the digest of the inventory. */
const makeVersion = async (
  tree: NewTree,
  folder: string,
  { inventory, content }: NextVersion,
  signal: AbortSignal,
): Promise<string> => {
  const breathe = breather(breatheMillis, signal)
  for (const { source, place } of content) {
    await breathe()
    failUnlessThere(inventory.id, source)
    tree.link(source.from, join(folder, place))
  }
  return writeInventory(tree, folder, textOf({ inventory, content, files: 0 }))
}

const syncTree = async (tree: NewTree, signal: AbortSignal): Promise<void> => {
  const breathe = breather(breatheMillis, signal)
  for (const _ of tree.sync()) await breathe()
  signal.throwIfAborted()
}

/** The thread hears so often that the write is to end. */
const breatheMillis = 100

/** Nothing is built upon bytes that are not there. Throws `MissingFile`. */
const failUnlessHeld = (folder: string, { inventory, content }: NextVersion): void => {
  const brought = new Set(content.map(({ source }) => source.sha256))
  for (const [path, sha256] of stateOf(inventory))
    if (!brought.has(sha256)) contentAt(folder, inventory, path, sha256)
}

const failUnlessThere = (object: string, { from, path, size }: SourceFile): void => {
  const found = statSync(from, { throwIfNoEntry: false })
  const reason = !found
    ? 'is not there'
    : !found.isFile()
      ? 'is no file'
      : found.size === size
        ? undefined
        : `has ${found.size} bytes instead of ${size}`
  if (reason) throw new Failed({ kind: 'Invalid', object, reason: `the file of ${path} ${reason}` })
}
