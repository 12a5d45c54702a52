import type { Guard } from '@fonds/ocfl/bucket'
import { placeOfObject } from '@fonds/ocfl/layout'
import * as O from 'fp-ts/lib/Option.js'
import { storageRootAt } from '../infra/object-store/ocfl/storage-root.ts'
import type { BucketRootPlace } from '../infra/object-store/ocfl-s3/storage-root.ts'
import type { S3Settings } from '../infra/s3/settings.ts'
import { type BucketPlace, bucketAddress, isBucketAddress } from './domain/kernel/bucket-address.ts'
import type { ObjectStore } from './ports/object-store.ts'
import type { ProcessLock } from './ports/process-lock.ts'
import type { StorageRoot } from './ports/storage-root.ts'
import type { UploadArea } from './ports/upload-area.ts'

export interface StoragePlace {
  /** A folder, or `s3://bucket/prefix`. It may be known only when the log responds. */
  readonly address: () => string
  readonly s3: () => S3Settings
  /** Where clients reach the server of its bucket; undefined: as we do. */
  readonly clientEndpoint?: string | undefined
  readonly processLock: ProcessLock
  /** Takes the place of conditions on servers that keep none. */
  readonly guard: (root: string) => Guard
}

export interface OpenedStorage {
  /** Most commands need no storage: it is opened at the first use, and then shared. */
  readonly objectStore: () => Promise<ObjectStore>
  readonly storageRoot: () => StorageRoot
  /** Opens the uploads at a place, once. */
  readonly openUploads: (place: BucketPlace) => Promise<UploadArea>
  /**
   * The folder or address of an object by the layout that the root itself names; undefined if there is no root, its
   * layout is unknown, or storage does not answer.
   */
  placeOfObject(object: string): Promise<string | undefined>
  close(): Promise<void>
}

/** The storage of ingest. What reaches buckets is loaded if the storage is in one. */
export const openStorage = ({
  address,
  s3,
  processLock,
  guard,
  clientEndpoint,
}: StoragePlace): OpenedStorage => {
  const store = openOnce(async () => {
    const root = address()
    if (!isBucketAddress(root)) {
      const { openOcflStore } = await import('../infra/object-store/ocfl/object-store.ts')
      return openOcflStore(root)
    }
    const { openBucketStore } = await import('../infra/object-store/ocfl-s3/object-store.ts')
    return openBucketStore(root, { s3: s3(), processLock, guard: guard(root) })
  })
  const roots = new Map<string, Promise<BucketRootPlace>>()
  const bucketRoot = (root: string): Promise<BucketRootPlace> => {
    const known = roots.get(root)
    if (known) return known
    const opened = import('../infra/object-store/ocfl-s3/storage-root.ts').then(({ bucketRootAt }) =>
      bucketRootAt(root, s3()),
    )
    roots.set(root, opened)
    return opened
  }

  const areas = new Map<string, Promise<UploadArea>>()
  const openUploads = (place: BucketPlace): Promise<UploadArea> => {
    const root = bucketAddress(place)
    const area =
      areas.get(root) ??
      import('../infra/object-store/uploads/upload-area.ts').then(({ openUploadArea }) =>
        openUploadArea(place, s3(), { ...(clientEndpoint !== undefined && { clientEndpoint }) }),
      )
    areas.set(root, area)
    return area
  }

  return {
    objectStore: store.get,
    openUploads,
    storageRoot: () => {
      const root = address()
      if (!isBucketAddress(root)) return storageRootAt(root)
      return {
        inspect: () => async () => (await bucketRoot(root)).inspect()(),
        name: (id) => async () => (await bucketRoot(root)).name(id)(),
      }
    },
    placeOfObject: objectPlaces(address, bucketRoot),
    close: async () => {
      await store.close()
      for (const opened of [...roots.values(), ...areas.values()])
        await (await opened.catch(() => undefined))?.close()
    },
  }
}

const objectPlaces = (
  address: () => string,
  bucketRoot: (root: string) => Promise<BucketRootPlace>,
): OpenedStorage['placeOfObject'] => {
  const placeInBucket = async (root: string, object: string) =>
    O.toUndefined(O.fromEither(await (await bucketRoot(root)).placeOf(object)()))
  let known: { readonly root: string; readonly placeOf: ReturnType<typeof placeOfObject> } | undefined
  return async (object) => {
    const root = address()
    if (isBucketAddress(root)) return placeInBucket(root, object)
    if (known?.root !== root) known = { root, placeOf: placeOfObject(root) }
    return known.placeOf(object)
  }
}

const openOnce = (open: () => Promise<ObjectStore>) => {
  let opened: Promise<ObjectStore> | undefined
  return {
    get: (): Promise<ObjectStore> => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return opened
    },
    close: async (): Promise<void> => (await opened?.catch(() => undefined))?.close(),
  }
}
