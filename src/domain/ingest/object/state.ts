import type { ObjectEvent } from './events.ts'
import { type Difference, nameOfFolder, withoutUnknown } from './storage.ts'

/** A job, and the fence of the claim under which it works. */
export interface ObjectHolder {
  readonly job: number
  readonly fence: number
}

export interface ObjectState {
  /** The job that its ARK was minted for. */
  readonly reservedFor?: number
  /** The job that may store a version. It holds the object until it has ended and another job takes over. */
  readonly holder?: ObjectHolder
  /** The versions that storage is known to hold. */
  readonly versions: readonly {
    /** The job that stored it; undefined: a person adopted it. */
    readonly job: number | undefined
    readonly version: number
    readonly inventoryDigest: string
  }[]
  /** Number of files listed for a version that is being stored. */
  readonly listing?: ObjectHolder & { readonly version: number; readonly files: number }
  /** Number of files listed for a version that is being adopted. */
  readonly adopting?: { readonly version: number; readonly files: number }
  /** Names of the folders in which copies were set aside. */
  readonly setAside?: readonly string[]
  /** Differences that the last comparison with storage found; absent: none. */
  readonly differences?: readonly Difference[]
}

export const initial: ObjectState = { versions: [] }

export const isHolder = (one: ObjectHolder | undefined, other: ObjectHolder): boolean =>
  one?.job === other.job && one.fence === other.fence

export const evolve = (state: ObjectState, { type, data }: ObjectEvent): ObjectState => {
  switch (type) {
    case 'ArkReserved':
      return { ...state, reservedFor: data.job, holder: holderOf(data) }
    case 'ObjectClaimed':
      return { ...state, holder: holderOf(data) }
    case 'FilesListed': {
      const { version, from, files } = data
      return { ...state, listing: { ...holderOf(data), version, files: from + files.length } }
    }
    case 'VersionStored': {
      const { listing: _, ...rest } = state
      const { job, version, inventoryDigest } = data
      return { ...rest, versions: [...state.versions, { job, version, inventoryDigest }] }
    }
    case 'StorageDiffered':
      return { ...state, differences: data.differences }
    case 'StorageAgreed': {
      const { differences: _, ...rest } = state
      return rest
    }
    case 'FilesAdopted': {
      const { version, from, files } = data
      return { ...state, adopting: { version, files: from + files.length } }
    }
    case 'VersionAdopted': {
      const { adopting: _, ...rest } = state
      const { version, inventoryDigest } = data
      return withoutUnknownVersions({
        ...rest,
        versions: [...state.versions, { job: undefined, version, inventoryDigest }],
      })
    }
    case 'VersionsSetAside':
      return withoutUnknownVersions({
        ...state,
        setAside: [...(state.setAside ?? []), nameOfFolder(data.folder)],
      })
  }
}

const holderOf = ({ job, fence }: ObjectHolder): ObjectHolder => ({ job, fence })

/** Drops the differences of versions that the log did not know: storage holds none any more. */
const withoutUnknownVersions = (state: ObjectState): ObjectState => {
  const { differences = [], ...rest } = state
  const left = withoutUnknown(differences)
  return left.length > 0 ? { ...rest, differences: left } : rest
}
