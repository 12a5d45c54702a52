/** What a piece of work is given by who waits for it. */
export interface Hold {
  readonly signal: AbortSignal
  /** To be called at each progress: work without any for long counts as hung. */
  readonly progress: () => void
}
