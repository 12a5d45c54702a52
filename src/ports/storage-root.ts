import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** The storage root found at the place that a setting names. */
export interface FoundRoot {
  /** Absolute. */
  readonly folder: string
  readonly host: string
  /** Its id; undefined if it has none. */
  readonly root: string | undefined
  /** Nothing was stored there, or nothing exists there at all. */
  readonly isEmpty: boolean
}

/** The place of the archive's objects, as this process is configured. */
export interface StorageRoot {
  /** Inspects the place. Creates nothing. */
  inspect(): TaskEither<Unavailable, FoundRoot>
  /** Creates the root if there is none, and gives it this id if it has none. Returns the id that it has then. */
  name(id: string): TaskEither<Unavailable, string>
}
