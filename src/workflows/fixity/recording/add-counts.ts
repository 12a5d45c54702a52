import type { BucketInventory } from '../../../ports/bucket-inventory.ts'

/** The inventory that a summary is by. */
export type ListedBy = Pick<BucketInventory, 'createdAt' | 'objects'>

/** Counts of what the survey found, by what was done with it. */
export interface AddSummary {
  readonly store: string
  readonly root: string
  /** Absent: listed by the store itself. */
  readonly inventory?: ListedBy
  /** In the inventory, and gone when they were to be read: not recorded. Absent without an inventory. */
  vanished?: number
  /** Recorded with checksums of a manifest. */
  recorded: number
  /** Recorded with a first reading as the baseline. */
  baseline: number
  /** Recorded with checksums of a manifest that cannot be compared; a first reading is stored beside them. */
  unusable: number
  /** Entries in manifests and bags that a person must inspect. */
  problems: number
  /** By the verdict of RFC 8493 on the existing files; the bytes are read by a check. */
  readonly bags: { complete: number; incomplete: number }
  /** Recorded before. */
  known: number
  /** In no manifest, and excluded by a pattern or as litter: not recorded. */
  excluded: number
  /** Recorded, missing, and with the bytes of one new file: a person must say whether they were moved. */
  moved: number
  /** The same, with the old names no longer expected. */
  acceptedMoves: number
  /** In a manifest, but missing: recorded, so that the check finds them missing. */
  missing: number
  /** Recorded before, and missing now; without files that seem to have moved. */
  absent: number
  /** Could not be read now: recorded without a checksum, so that they are expected. */
  unreadable: number
  /**
   * Folders that could not be listed, and entries that could not be inspected or named: not recorded, though they may
   * be content.
   */
  unlisted: number
  /** No content, or a manifest line that cannot be used. */
  readonly notes: { readonly path: string; readonly note: string }[]
  notesLeftOut: number
  /** The names that `missing` counts, the manifests that have them, and why nothing is under them. */
  readonly notThere: { readonly path: string; readonly from: string; readonly note: string }[]
  notThereLeftOut: number
  bytesRead: number
}

export const emptySummary = (store: string, root: string, inventory?: ListedBy): AddSummary => ({
  store,
  root,
  ...(inventory && { inventory, vanished: 0 }),
  recorded: 0,
  baseline: 0,
  unusable: 0,
  problems: 0,
  bags: { complete: 0, incomplete: 0 },
  known: 0,
  excluded: 0,
  moved: 0,
  acceptedMoves: 0,
  missing: 0,
  absent: 0,
  unreadable: 0,
  unlisted: 0,
  notes: [],
  notesLeftOut: 0,
  notThere: [],
  notThereLeftOut: 0,
  bytesRead: 0,
})

const maxNotes = 1000

export const note = (summary: AddSummary, path: string, text: string): undefined => {
  if (summary.notes.length < maxNotes) summary.notes.push({ path, note: text })
  else summary.notesLeftOut++
}

/** Adds a name in a manifest that nothing is under. */
export const noteNotThere = (summary: AddSummary, one: AddSummary['notThere'][number]): void => {
  summary.missing++
  if (summary.notThere.length < maxNotes) summary.notThere.push(one)
  else summary.notThereLeftOut++
}
