import type { KnownKind } from '../../../domain/indexing/kind.ts'
import type { Place } from '../../../domain/indexing/place.ts'

/** A file that a list shows. */
export interface Sighted {
  readonly name: string
  readonly place: Place
  readonly kind?: KnownKind
}

/** Most recent first; those without a date at the end. */
export const byDate = (one: Sighted, other: Sighted): number => {
  const [a, b] = [one.place.modifiedAt ?? '', other.place.modifiedAt ?? '']
  return a < b ? 1 : a > b ? -1 : 0
}
