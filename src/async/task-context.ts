/** A caller's hold on a piece of work: it may abort it, and is notified of its progress. */
export interface TaskContext {
  readonly signal: AbortSignal
  /** To be called at each progress: work without any for long counts as hung. */
  readonly progress: () => void
}
