/** Positions of the log. */
export interface IndexPlace {
  /** How far the index of captures has come. */
  readonly reached: bigint
  /** The last event's. */
  readonly end: bigint
}

/** What is decided behind the end of the log would be taken for what the index has already. */
export const whyIndexIsAhead = ({ reached, end }: IndexPlace): string | undefined =>
  reached <= end
    ? undefined
    : `the index of captures is of position ${reached}, and the log ends at ${end}: one of them was put back, or is another archive's. ` +
      'Put both back to the same day, or move runs/ and incoming/ of FONDS_INDEXING_FOLDER away: then all files are indexed anew'
