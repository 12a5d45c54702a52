/** It is away, or cannot do it now (locked, disk full, no connection): worth trying again. */
export interface Unavailable {
  readonly kind: 'Unavailable'
  readonly reason: string
  /** It answers, and refuses our log-in or does not let us: only a person can change that. */
  readonly denied?: true
}
