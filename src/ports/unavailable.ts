/** Unavailable, or unable now (locked, disk full, no connection): worth trying again. */
export interface Unavailable {
  readonly kind: 'Unavailable'
  readonly reason: string
  /** It responds, and refuses our log-in or denies access: only a person can change that. */
  readonly denied?: true
}
