import { isBucketAddress } from '../../kernel/bucket-address.ts'
import type { AdoptedRoot } from './decide.ts'

/** The storage root found at the place that the setting names. */
export interface FoundRoot {
  /** Absolute. */
  readonly folder: string
  readonly host: string
  /** Id of the root; undefined if it has none. */
  readonly root: string | undefined
  /** It contains no objects, or does not exist. */
  readonly isEmpty: boolean
}

/** A sentence about stored objects that the log knows and this root lacks; undefined if there are none. */
export type Lacking = string | undefined

const adopt = '`fonds do ingest.adopt-storage`'
const set = 'set FONDS_INGEST_STORAGE to the folder that all nodes of the archive share'

/** How a root that is not there may come back. */
const reach = (folder: string, whose: string): string =>
  isBucketAddress(folder) ? 'check the bucket and the prefix' : `mount ${whose}`

/**
 * Returns why nothing may be stored in this root, and the fix; undefined if it is the archive's. `adopted` is defined:
 * the log names the archive's root.
 */
export const refusalOf = (found: FoundRoot, adopted: NonNullable<AdoptedRoot>): string | undefined => {
  if (found.root === adopted.root) return undefined
  const { folder } = found
  const archives = `the archive's storage root is ${adopted.root}, adopted as ${adopted.folder} on ${adopted.host}`
  if (found.root !== undefined)
    return `${folder} is the storage root ${found.root}, and ${archives}: ${set}, or give the archive to this one with ${adopt}`
  return found.isEmpty
    ? `there is no storage root at ${folder}, and ${archives}: ${reach(folder, 'its volume')}, or ${set}; where it is lost, restore a backup of it there, or start again with ${adopt}`
    : `the storage root ${folder} has no id, and ${archives}: ${set}; where this is a copy of it that lost its file, ${adopt} gives it one`
}

/**
 * Returns why a root is not accepted for an archive whose log names no root yet; undefined if it is. A root that is
 * unknown to the log must be adopted by a person.
 */
export const strangeness = (
  found: FoundRoot,
  knowsObjects: boolean,
  lacking: Lacking,
): string | undefined => {
  const { folder, isEmpty } = found
  if (knowsObjects && isEmpty)
    return `there is no object in ${folder}, and the log knows stored ones: ${reach(folder, 'the volume that they are on')}, or ${set}; where they are lost, start again with ${adopt}`
  if (lacking !== undefined)
    return `the storage root ${folder} is not the archive's: ${lacking}; ${set}, or give the archive to this one with ${adopt}`
  if (!knowsObjects && !isEmpty)
    return `the storage root ${folder} holds objects, and the log knows of none: ${set}, or give the archive to this one with ${adopt}`
  return undefined
}
