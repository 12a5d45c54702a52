/** The domain says no, and why. A value, never thrown, never retried. Each decider closes the union over `code`. */
export interface Rejection {
  readonly code: string
  /** One sentence for a person: what was rejected, why, what to do instead. */
  readonly message: string
  /** What was compared, for views: the version offered and the one held. */
  readonly details?: Readonly<Record<string, string | number>>
}
