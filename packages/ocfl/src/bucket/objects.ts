import { addedVersion } from '../added.ts'
import { DamagedObject, StorageRootError } from '../errors.ts'
import { asOf, type Inventory, stateOf, versionName, versionNumber } from '../inventory.ts'
import { besideVersions, declaresObject, inventoryFile, knownFiles, sha256 } from '../read-inventory.ts'
import { rootDeclaration } from '../root/declaration.ts'
import { type LayoutConfig, objectFolders } from '../root/layout.ts'
import type {
  AddedVersion,
  HeldObject,
  HeldVersion,
  ListedObject,
  NewVersion,
  SetAsideCopy,
  StoredFile,
  StoredVersion,
} from '../types.ts'
import { type Bucket, keysBelow, readText } from './bucket.ts'
import { createBudget } from './budget.ts'
import { foldersWith } from './folders.ts'
import { type Guard, underLock } from './guard.ts'
import { createJournals, type JournalLimits, usualJournals } from './journals.ts'
import { contentKey, findObject, missingFile } from './object-keys.ts'
import { type PutLimits, usualPuts } from './put-content.ts'
import { recoverWrite } from './recover.ts'
import { ensureBucketRoot, unkeptCondition } from './root.ts'
import { copiesAside, idIn, setAside } from './set-aside.ts'
import { createStages, type Stage, type Stages } from './stages.ts'
import { abortUnheld, findStrays, type Swept } from './sweep.ts'
import { findFinished, type ObjectPlace, writeVersion } from './write-version.ts'

export interface BucketRootOptions {
  readonly bucket: Bucket
  /** Prefix of the root's keys, without a slash at its ends: `archive/storage`. At most 512 bytes, and not empty. */
  readonly prefix: string
  /** Layout of a new root; an existing one keeps its own. */
  readonly layout?: LayoutConfig
  /** Unique to this process. */
  readonly process: string
  /** Proves to processes with the same locks that this one has ended. JSON. */
  readonly lock?: unknown
  /** True only if it is certain that the process with this lock has ended. */
  readonly hasEnded?: (lock: unknown) => boolean
  readonly journals?: Partial<JournalLimits>
  readonly puts?: Partial<PutLimits>
  /** Takes the place of conditions on servers that keep none. Absent: such roots are not written. */
  readonly guard?: Guard
}

/**
 * A storage root in a bucket. Throws `InvalidVersion`, `VersionConflict`, `DamagedObject`, `OtherDigests`,
 * `StorageRootError`, and errors of the bucket.
 */
export interface BucketRoot {
  /** Finishes or removes the writes of ended processes. Returns their number. */
  recover(): Promise<number>
  /** Recovers, aborts uploads that nobody holds, and looks for keys of no object. */
  sweep(): Promise<Swept>
  /**
   * Writes the next version. No reader sees any of it before all of it is in the bucket. What a killed process
   * leaves is finished or removed by `recover`. Writing the same again returns the existing version.
   */
  write(asked: NewVersion, options?: { readonly signal?: AbortSignal }): Promise<StoredVersion>
  /** The last version; undefined if there is no such object. */
  head(object: string): Promise<StoredVersion | undefined>
  /** Files of the last or the given version, sorted by path; undefined if there is none. */
  files(object: string, version?: number): Promise<readonly StoredFile[] | undefined>
  /** All versions, and files of the object that belong to none; undefined if there is no object. */
  inspect(object: string): Promise<HeldObject | undefined>
  /** Objects in the order of their keys, after `after`, which may be any text. Fewer than `limit`: no more follow. */
  list(after: string, limit: number): Promise<readonly ListedObject[]>
  /**
   * Takes the versions after `keep` out of the object, or all of it if `keep` is 0. Returns the prefix of a copy of
   * the whole object, `<root>.set-aside/…`, which is made first; undefined if there is nothing to take out. May be
   * repeated.
   */
  setAside(object: string, keep: number): Promise<string | undefined>
  /** Copies that were set aside, of one object or of all, the oldest head first. */
  aside(object?: string): Promise<readonly SetAsideCopy[]>
  /**
   * Files that a version brought, by the inventory with that SHA-256; undefined if there is no object. Throws `DamagedObject` if the
   * object has no such inventory.
   */
  added(object: string, version: number, inventoryDigest: string): Promise<AddedVersion | undefined>
  /** A file of a version, and the key of its bytes; undefined if there is none. */
  find(
    object: string,
    path: string,
    version?: number,
  ): Promise<(StoredFile & { readonly key: string }) | undefined>
  /** Bytes that come before their version. */
  readonly stages: {
    /** Expects them to be named by the version after `basedOn`. */
    open(of: { readonly id: string; readonly object: string; readonly basedOn: number }): Promise<Stage>
  } & Pick<Stages, 'files' | 'ids' | 'remove'>
  close(): Promise<void>
}

/** Throws `StorageRootError` if the place cannot be used. */
export const openBucketRoot = async (options: BucketRootOptions): Promise<BucketRoot> => {
  const { bucket, process, lock, hasEnded } = options
  const prefix = `${options.prefix}/`
  const aside = `${options.prefix}.set-aside/`
  const layout = await ensureBucketRoot(bucket, prefix, options.layout)
  const limits = { ...usualPuts, ...options.puts }
  const journals = createJournals({
    ...{ bucket, prefix, process, lock, limits: { ...usualJournals, ...options.journals } },
    ...(hasEnded && { hasEnded }),
  })
  const unkept = once(() => unkeptCondition(bucket, prefix))
  const tools = { bucket, journals, limits, aside, signal: undefined }

  const stages = createStages({
    ...{ bucket, prefix, journals, partBytes: limits.partBytes },
    folder: `${options.journals?.folder ?? usualJournals.folder}-staged`,
    budget: createBudget(limits.heldBytes),
  })

  const folderOf = (folders: readonly string[]): string => `${prefix}${folders.join('/')}/`
  const placeOf = (object: string): ObjectPlace => {
    const folders = objectFolders(object, layout)
    return { folders, folder: folderOf(folders) }
  }

  const find = async (object: string) => {
    const { folder } = placeOf(object)
    return checked(await findObject(bucket, folder, journals), object, folder)
  }

  const findVersion = async (object: string, version: number | undefined): Promise<Inventory | undefined> => {
    const found = await find(object)
    return version === undefined ? found?.inventory : asOf(found?.inventory, version)
  }

  /** Works as one of the writers of an object that do not overwrite each other. */
  const asWriter = async <A>(
    folders: readonly string[],
    work: (of: typeof tools) => Promise<A>,
    { waits = true, signal }: { readonly waits?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<A> => {
    const condition = await unkept()
    if (condition === undefined) return work(tools)
    if (!options.guard)
      throw new StorageRootError(
        `the server writes ${prefix}${rootDeclaration} although ${condition} forbids it: two writers would overwrite each other; use a server that keeps If-None-Match and If-Match of PutObject`,
      )
    return options.guard.run(
      folderOf(folders),
      waits,
      (failIfLost) => work({ ...tools, bucket: underLock(bucket, failIfLost) }),
      signal,
    )
  }

  const finished = async (object: string, place: ObjectPlace, of: typeof tools) =>
    checked(await findFinished(place, of), object, place.folder)

  const recover = async (): Promise<number> => {
    const left = await journals.left()
    let ended = 0
    for (const { key, journal } of left) {
      const { folders } = journal
      try {
        await asWriter(folders, (of) => recoverWrite(of.bucket, folderOf(folders), journal), { waits: false })
      } catch (error) {
        // Another process has the lock: the journal is found again.
        if (error instanceof StorageRootError && options.guard) continue
        throw error
      }
      await journals.end(key)
      ended += 1
    }
    // Marks of processes whose journals are gone by now.
    if (left.length > 0) await journals.left()
    return ended
  }

  return {
    recover,
    sweep: async () => {
      const swept = {
        ...{ bucket, prefix, aside, depth: layout.numberOfTuples + 1 },
        journals: async () => (await journals.all()).map(({ journal }) => journal),
        staged: stages.folders,
      }
      const writes = await recover()
      return { writes, uploads: await abortUnheld(swept), strays: await findStrays(swept) }
    },
    write: async (asked, { signal } = {}) => {
      const place = placeOf(asked.object)
      return asWriter(
        place.folders,
        async (of) => writeVersion(asked, place, await finished(asked.object, place, of), { ...of, signal }),
        signal && { signal },
      )
    },
    head: async (object) => {
      const found = await find(object)
      if (!found) return undefined
      const { inventory, digest } = found
      const version = versionNumber(inventory.head)
      return { object, version, inventoryDigest: digest, files: stateOf(inventory).size, added: 0 }
    },
    files: async (object, version) => {
      const inventory = await findVersion(object, version)
      if (!inventory) return undefined
      const { folder } = placeOf(object)
      const sizes = new Map((await keysBelow(bucket, folder)).map(({ key, size }) => [key, size]))
      return [...stateOf(inventory)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, sha256]) => {
          const key = contentKey(folder, inventory, path, sha256)
          const size = sizes.get(key)
          if (size === undefined) throw missingFile(path, key)
          return { path, size, sha256 }
        })
    },
    inspect: async (object) => {
      const found = await find(object)
      if (!found) return undefined
      const { folders, folder } = placeOf(object)
      const held = await heldObject(bucket, folder, found.inventory)
      if (held.strays.length === 0) return held
      const staged = await stages.folders()
      const isStaged = (name: string) =>
        staged.some((below) => [...folders, name].join('/').startsWith(below))
      return { ...held, strays: held.strays.filter((name) => !isStaged(name)) }
    },
    list: async (after, limit) => {
      const listed: ListedObject[] = []
      const depth = layout.numberOfTuples + 1
      const where = { prefix, depth, file: inventoryFile, after, passing: ['extensions'] }
      for await (const place of foldersWith(bucket, where)) {
        if (listed.length === limit) break
        listed.push({ place, object: await idIn(bucket, `${prefix}${place}/`) })
      }
      return listed
    },
    setAside: async (object, keep) => {
      const place = placeOf(object)
      return asWriter(place.folders, async (of) => {
        const found = await finished(object, place, of)
        return found && setAside(place, found, keep, of)
      })
    },
    aside: (object) => copiesAside(bucket, aside, object, object && objectFolders(object, layout).at(-1)),
    added: async (object, version, inventoryDigest) => {
      const { folders, folder } = placeOf(object)
      return addedVersion(
        { object, version, inventoryDigest },
        folders.join('/'),
        async (place) => (await readText(bucket, folder + place))?.text,
      )
    },
    find: async (object, path, version) => {
      const inventory = await findVersion(object, version)
      const sha256 = inventory && stateOf(inventory).get(path)
      if (!sha256) return undefined
      const key = contentKey(placeOf(object).folder, inventory, path, sha256)
      const held = await bucket.head(key)
      if (!held) throw missingFile(path, key)
      return { path, sha256, size: held.size, key }
    },
    stages: {
      ...stages,
      open: async ({ id, object, basedOn }) => {
        const { folders } = placeOf(object)
        const found = await find(object)
        return stages.open({ id, folders, version: versionName(basedOn + 1, found?.inventory.head) })
      },
    },
    close: journals.close,
  }
}

const checked = <A extends { readonly inventory: Inventory }>(
  found: A | undefined,
  object: string,
  folder: string,
): A | undefined => {
  if (found && found.inventory.id !== object)
    throw new DamagedObject(`${folder} holds the object ${found.inventory.id}`)
  return found
}

const heldObject = async (bucket: Bucket, folder: string, inventory: Inventory): Promise<HeldObject> => {
  const versions: HeldVersion[] = []
  for (const name of Object.keys(inventory.versions)) {
    const text = (await readText(bucket, `${folder}${name}/${inventoryFile}`))?.text
    versions.push({
      version: versionNumber(name),
      inventoryDigest: text === undefined ? undefined : sha256(text),
    })
  }
  const known = knownFiles(inventory)
  const names = (await keysBelow(bucket, folder)).map(({ key }) => key.slice(folder.length))
  return {
    object: inventory.id,
    versions: versions.sort((one, other) => one.version - other.version),
    strays: names
      .filter((name) => !known.has(name) && !declaresObject(name))
      .filter((name) => !besideVersions.includes(name.split('/', 1)[0]!))
      .sort(),
  }
}

/** Does the work until it succeeds once. */
const once = <A>(work: () => Promise<A>): (() => Promise<A>) => {
  let done: Promise<A> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
