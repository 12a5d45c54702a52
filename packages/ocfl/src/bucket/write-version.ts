import { randomUUID } from 'node:crypto'
import { InvalidVersion, VersionConflict } from '../errors.ts'
import {
  asOf,
  contentFolder,
  isRepeat,
  type NextVersion,
  nextInventory,
  stateOf,
  versionName,
  versionNumber,
} from '../inventory.ts'
import { inventoryFile, sha256, textOfInventory } from '../read-inventory.ts'
import type { NewVersion, SourceFile, StoredVersion } from '../types.ts'
import { type Bucket, bytesOf, ConditionFailed, keysBelow } from './bucket.ts'
import type { Adding, Journals } from './journals.ts'
import {
  contentKey,
  type FoundObject,
  findObject,
  finishObject,
  missingFile,
  type RootInventory,
  readRootInventory,
} from './object-keys.ts'
import { type PutLimits, putContent } from './put-content.ts'
import { recoverWrite } from './recover.ts'
import { dropStage, failUnlessStaged, isStaged, recordsOfStaged } from './stages.ts'

export interface WriteTools {
  readonly bucket: Bucket
  readonly journals: Journals
  readonly limits: PutLimits
  readonly signal: AbortSignal | undefined
}

export interface ObjectPlace {
  /** From the root down to the object. */
  readonly folders: readonly string[]
  /** Prefix of the object's keys; ends with a slash. */
  readonly folder: string
}

/**
 * Writes the next version: a journal, the new bytes to keys that no other write has, the inventory at the top of
 * the object, which makes the version visible, and the files that follow it. Throws `InvalidVersion`,
 * `VersionConflict` and `MissingFile`.
 */
export const writeVersion = async (
  asked: NewVersion,
  place: ObjectPlace,
  found: FoundObject | undefined,
  tools: WriteTools,
): Promise<StoredVersion> => {
  const { object, basedOn } = asked
  const head = found ? versionNumber(found.inventory.head) : 0
  const write = randomUUID().replaceAll('-', '').slice(0, 12)
  const version = versionName(basedOn + 1, found?.inventory.head)
  const next = nextInventory(asOf(found?.inventory, basedOn), asked.files, asked, {
    folder: write,
    maxBytes: roomForName(place.folder, version, write),
    placeOf: ({ from }) =>
      isStaged(from) && from.key.startsWith(`${place.folder}${version}/${contentFolder}/`)
        ? from.key.slice(place.folder.length)
        : undefined,
  })
  if ('error' in next) throw new InvalidVersion(next.error)
  const { inventory, content, files } = next
  if (found && head === basedOn + 1 && isRepeat(found.inventory, inventory))
    return { object, version: head, inventoryDigest: found.digest, files, added: 0 }
  if (head !== basedOn) throw new VersionConflict(head)
  if (found) await failUnlessHeld(place.folder, next, tools.bucket)

  const text = textOfInventory(inventory)
  const digest = sha256(text)
  const journal: Adding = {
    kind: 'add',
    folders: place.folders,
    version: inventory.head,
    write,
    inventory: digest,
    adopts: recordsOfStaged(asked.files),
  }
  await journalled(journal, place, tools, async () => {
    await failUnlessStaged(tools.bucket, asked.files)
    await putContent(tools.bucket, `${place.folder}${inventory.head}/`, content, tools.limits, tools.signal)
    tools.signal?.throwIfAborted()
    await makeVisible({ inventory, text, digest }, place.folder, found, tools)
    await finishObject(tools.bucket, place.folder, { inventory, text, digest }, found?.sidecarEtag)
    for (const record of journal.adopts ?? []) await dropStage(tools.bucket, record)
  })
  return {
    object,
    version: head + 1,
    inventoryDigest: digest,
    files,
    added: addedBytes(found, asked.files),
  }
}

/** Bytes of digests that the object did not have. */
const addedBytes = (found: FoundObject | undefined, sources: readonly SourceFile[]): number => {
  const known = new Set(Object.keys(found?.inventory.manifest ?? {}).map((digest) => digest.toLowerCase()))
  const sizes = new Map(sources.map(({ sha256, size }) => [sha256, known.has(sha256) ? 0 : size]))
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

const maxKeyBytes = 1024

const roomForName = (folder: string, version: string, write: string): number =>
  maxKeyBytes - Buffer.byteLength(`${folder}${version}/${contentFolder}/${write}/`)

/** A failed write is removed at once if that is possible, else by the next process that finds its journal. */
const journalled = async (
  journal: Adding,
  place: ObjectPlace,
  { bucket, journals }: WriteTools,
  work: () => Promise<void>,
): Promise<void> => {
  const key = await journals.begin(journal.write, journal)
  try {
    await work()
    await journals.end(key)
  } catch (error) {
    try {
      await recoverWrite(bucket, place.folder, journal)
      await journals.end(key)
    } catch {
      journals.abandon(key)
    }
    throw error
  }
}

const maxTries = 5

/** Puts the inventory, on the condition that it is the next one. */
const makeVisible = async (
  next: Omit<RootInventory, 'etag'>,
  folder: string,
  before: RootInventory | undefined,
  { bucket, journals }: WriteTools,
): Promise<void> => {
  const key = folder + inventoryFile
  const bytes = bytesOf(next.text)
  for (let tries = 1; ; tries++) {
    journals.failIfInDoubt()
    try {
      await bucket.put(key, bytes, before ? { ifMatch: before.etag } : { ifNoneMatch: '*' })
      return
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      const found = await readRootInventory(bucket, folder)
      // The repeat of a request that was answered too late, or not at all.
      if (found?.digest === next.digest) return
      if (found?.etag !== before?.etag)
        throw new VersionConflict(found ? versionNumber(found.inventory.head) : 0)
      if (!before && (await isOnlyWriter(folder, journals))) return void (await bucket.put(key, bytes))
      if (tries === maxTries) throw error
    }
  }
}

/**
 * Some servers refuse `If-None-Match: *` over the mark that a deleted key leaves in a versioned bucket. There the
 * journals decide: each of two writers has put its own before it looks for that of the other.
 */
const isOnlyWriter = async (folder: string, journals: Journals): Promise<boolean> => {
  const all = await journals.all()
  return all.filter(({ journal }) => folder.endsWith(`/${journal.folders.join('/')}/`)).length === 1
}

/** Checks that the bytes of carried files exist. Throws `MissingFile`. */
const failUnlessHeld = async (
  folder: string,
  { inventory, content }: NextVersion,
  bucket: Bucket,
): Promise<void> => {
  const brought = new Set(content.map(({ source }) => source.sha256))
  const carried = [...stateOf(inventory)].filter(([, sha256]) => !brought.has(sha256))
  if (carried.length === 0) return
  const held = new Set((await keysBelow(bucket, folder)).map(({ key }) => key))
  for (const [path, sha256] of carried) {
    const key = contentKey(folder, inventory, path, sha256)
    if (!held.has(key)) throw missingFile(path, key)
  }
}

/** The object, with the files that follow its inventory: those of a write that was killed are put now. */
export const findFinished = async (
  { folder }: ObjectPlace,
  { bucket, journals }: WriteTools,
): Promise<FoundObject | undefined> => {
  const found = await findObject(bucket, folder, journals)
  if (!found || found.isFinished) return found
  await finishObject(bucket, folder, found, found.sidecarEtag)
  return findObject(bucket, folder, journals)
}
