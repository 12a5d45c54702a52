import type { KnownKind } from '../../../domain/indexing/kind.ts'
import type { Place } from '../../../domain/indexing/place.ts'

/** A line of a list, or a file of a folder. */
export type Listed =
  | {
      readonly kind: 'file'
      readonly name: string
      /** Undefined if the list has names alone. */
      readonly place: Place | undefined
      readonly fileKind: KnownKind | undefined
      /** True if the name says that a harvester is writing it. */
      readonly isOpen?: true
    }
  /** An invalid entry: it is reported, and never taken for something else. */
  | { readonly kind: 'skipped'; readonly what: string; readonly reason: string }

/** Returns the file name of a location: percent-decoded in a URL. Empty for a folder. */
export const nameAt = (location: string): string => {
  if (location.startsWith('/') || location.startsWith('s3:')) return lastSegment(location)
  const name = lastSegment(new URL(location).pathname)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
