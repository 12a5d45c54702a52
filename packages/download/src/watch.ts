/** Lets a caller abort a download and follow its progress. */
export interface Watch {
  readonly signal: AbortSignal
  /** Called at each progress. */
  readonly progress: () => void
}
