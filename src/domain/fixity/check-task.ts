import type { Checksum } from './checksum.ts'
import type { Item } from './item.ts'

/** One check to do, claimed in the item's own stream. */
export interface CheckTask {
  readonly item: Item
  readonly fence: number
  /** Recorded and indexed checksums: they determine which digests to compute. */
  readonly checksums: readonly Checksum[]
}

/** Checks to do together, claimed in the stream of their batch. */
export interface BatchTask {
  readonly batch: string
  readonly store: string
  /** `size`: bytes as recorded, 0 if none are recorded. */
  readonly files: readonly {
    readonly path: string
    readonly size: number
    readonly checksums: readonly Checksum[]
    /** Its last check did not read it: the storage may give no bytes of it. */
    readonly mayBeArchived?: true
  }[]
}

export type FixityTask = CheckTask | BatchTask

export const isBatch = (task: FixityTask): task is BatchTask => 'batch' in task
