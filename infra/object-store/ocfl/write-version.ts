import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { sideBySide } from '../../../src/async/side-by-side.ts'
import type {
  NewVersion,
  ObjectStoreFailure,
  SourceFile,
  StoredVersion,
} from '../../../src/ports/object-store.ts'
import { isSystemError, linkOrCopy, syncFolders } from './disk.ts'
import { asOf, isRepeat, type NextVersion, nextInventory, versionName, versionNumber } from './inventory.ts'
import { declareObject, type ReadInventory, writeInventory } from './object-folder.ts'
import { moveIn } from './place.ts'
import type { Staging } from './staging.ts'

/** Where an object stands, or would. */
export interface ObjectPlace {
  /** From the root down to it. */
  readonly folders: readonly string[]
  readonly folder: string
  readonly found: ReadInventory | undefined
}

interface Tools {
  readonly root: string
  readonly staging: Staging
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

const filesAtOnce = 16

/** Makes the version beside the object, all of it on disk, and moves it to its place. Throws `Failed`. */
export const writeVersion = async (
  asked: NewVersion,
  { found, folders }: ObjectPlace,
  { root, staging }: Tools,
  signal: AbortSignal | undefined,
): Promise<StoredVersion> => {
  const { object, basedOn } = asked
  const head = found ? versionNumber(found.inventory.head) : 0
  const next = nextInventory(asOf(found?.inventory, basedOn), await collect(asked.files), asked)
  if (isLeft(next)) throw new Failed({ kind: 'Invalid', object, reason: next.left })
  const { inventory, content, files } = next.right
  if (found && head === basedOn + 1 && isRepeat(found.inventory, inventory))
    return { object, version: head, inventoryDigest: found.digest, files, added: 0 }
  if (head !== basedOn) throw new Failed({ kind: 'Conflict', object, head })

  const inventoryDigest = await staging.use(async (folder) => {
    if (found) {
      const version = staging.nextOf(folder)
      const digest = await makeVersion(object, version, next.right, signal)
      await syncFolders(version)
      signal?.throwIfAborted()
      const following = versionName(head + 2, inventory.head)
      if (!(await staging.addVersion(folder, { folders, version: inventory.head, following })))
        throw new Failed({ kind: 'Conflict', object, head: head + 1 })
      return digest
    }
    const placed = join(folder, ...folders)
    const digest = await makeVersion(object, join(placed, inventory.head), next.right, signal)
    await declareObject(placed)
    await writeInventory(placed, textOf(next.right))
    await syncFolders(folder)
    signal?.throwIfAborted()
    await moveIn(folder, root)
    return digest
  })
  const added = content.reduce((sum, { source }) => sum + source.size, 0)
  return { object, version: head + 1, inventoryDigest, files, added }
}

const textOf = ({ inventory }: NextVersion): string => `${JSON.stringify(inventory, undefined, 1)}\n`

const makeVersion = async (
  object: string,
  folder: string,
  next: NextVersion,
  signal: AbortSignal | undefined,
): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await sideBySide(next.content, filesAtOnce, async ({ source, place }) => {
    signal?.throwIfAborted()
    await checkSource(object, source)
    await linkOrCopy(source.from, join(folder, place))
  })
  return writeInventory(folder, textOf(next))
}

const checkSource = async (object: string, { from, path, size }: SourceFile): Promise<void> => {
  const reason = await stat(from).then(
    (found) => {
      if (!found.isFile()) return 'is no file'
      return found.size === size ? undefined : `has ${found.size} bytes instead of ${size}`
    },
    (error: unknown) => {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return 'is not there'
      throw error
    },
  )
  if (reason) throw new Failed({ kind: 'Invalid', object, reason: `the file of ${path} ${reason}` })
}

const collect = async (files: NewVersion['files']): Promise<readonly SourceFile[]> => {
  const all: SourceFile[] = []
  for await (const file of files) all.push(file)
  return all
}
