/** Decisions between what the index was made from and what the log holds would never reach it. */
export const indexMismatch = (reached: bigint, end: bigint): string =>
  `the log ends at position ${end} and lacks the event at position ${reached}, the last that changed the index of captures: ` +
  "one of the two was restored from a backup, or is another archive's. Restore both to the same day, or move runs/ and incoming/ of " +
  'FONDS_INDEXING_FOLDER away; all files are then indexed again'

/** Taken over, they would bring the index to where the log has never been. */
export const waitingMismatch = (position: bigint, end: bigint): string =>
  `changes up to position ${position} wait for the index of captures, and the log ends at position ${end} and lacks ` +
  "their events: it was restored from a backup, or is another archive's. Move incoming/ of FONDS_INDEXING_FOLDER away; what the log holds is handed over again"
