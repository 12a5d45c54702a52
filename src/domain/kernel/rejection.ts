/**
 * A rejection by the domain, with the reason. A value, never thrown, never retried. Each decider closes the union over
 * `code`.
 */
export interface Rejection {
  readonly code: string
  /** One sentence for a person: what was rejected, why, what to do instead. */
  readonly message: string
  /** The compared values, for views: the offered and the held version. */
  readonly details?: Readonly<Record<string, string | number>>
}
