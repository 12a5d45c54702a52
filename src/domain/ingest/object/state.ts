import type { ObjectEvent } from './events.ts'

/** A job, and the number of the claim under which it works. */
export interface ObjectHolder {
  readonly job: number
  readonly fence: number
}

export interface ObjectState {
  /** The job that its ARK was minted for. */
  readonly reservedFor?: number
  /** Who may store a version. It holds the object until another job takes it over, when it has ended. */
  readonly holder?: ObjectHolder
  /** The versions that storage is known to hold. */
  readonly versions: readonly {
    readonly job: number
    readonly version: number
    readonly inventoryDigest: string
  }[]
  /** Files listed of a version that is being stored. */
  readonly listing?: ObjectHolder & { readonly version: number; readonly files: number }
}

export const initial: ObjectState = { versions: [] }

export const isHolder = (one: ObjectHolder | undefined, other: ObjectHolder): boolean =>
  one?.job === other.job && one.fence === other.fence

export const evolve = (state: ObjectState, { type, data }: ObjectEvent): ObjectState => {
  const { job, fence } = data
  switch (type) {
    case 'ArkReserved':
      return { ...state, reservedFor: job, holder: { job, fence } }
    case 'ObjectClaimed':
      return { ...state, holder: { job, fence } }
    case 'FilesListed': {
      const { version, from, files } = data
      return { ...state, listing: { job, fence, version, files: from + files.length } }
    }
    case 'VersionStored': {
      const { listing: _, ...rest } = state
      const { version, inventoryDigest } = data
      return { ...rest, versions: [...state.versions, { job, version, inventoryDigest }] }
    }
  }
}
