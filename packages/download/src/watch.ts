/** How a caller follows a download: it may abort it, and learns of its progress. */
export interface Watch {
  readonly signal: AbortSignal
  /** Called at each progress. */
  readonly progress: () => void
}
