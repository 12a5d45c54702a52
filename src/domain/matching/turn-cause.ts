/** The update that moved a work, and the link by which it did. */
export interface TurnCause {
  /** The update: this revision of the stream `work-<work>`. */
  readonly work: string
  readonly revision: number
  /** `linked`, `unlinked`: the link counts since then, or no longer does. `described`: the work was described. */
  readonly effect: 'linked' | 'unlinked' | 'described'
  /** The link; null for `described`. The update is of one of its ends. */
  readonly from: string | null
  readonly to: string | null
}
