/** It is away, or cannot do it now (locked, disk full, no connection): worth trying again. */
export interface Unavailable {
  readonly kind: 'Unavailable'
  readonly reason: string
}
