/** Decisions between what the index was made from and what the log holds would never reach it. */
export const indexMismatch = (reached: bigint, end: bigint): string =>
  `the log, which ends at position ${end}, does not hold the event at position ${reached} that changed the index of captures last: ` +
  "one of the two was put back, or is another archive's. Put both back to the same day, or move runs/ and incoming/ of " +
  'FONDS_INDEXING_FOLDER away: then all files are indexed anew'

/** Taken over, they would bring the index to where the log has never been. */
export const waitingMismatch = (position: bigint, end: bigint): string =>
  `changes up to position ${position} wait for the index of captures, and the log, which ends at position ${end}, does not hold ` +
  "their events: it was put back, or is another archive's. Move incoming/ of FONDS_INDEXING_FOLDER away: what the log holds is handed over again"
