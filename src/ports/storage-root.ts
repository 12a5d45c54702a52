import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** What is at the place that a setting names. */
export interface FoundRoot {
  /** Absolute. */
  readonly folder: string
  readonly host: string
  /** Its id; undefined where it has none. */
  readonly root: string | undefined
  /** Nothing was stored there, or nothing is there at all. */
  readonly isEmpty: boolean
}

/** The place where the objects of the archive are, as this process was told it. */
export interface StorageRoot {
  /** What is there. Nothing is made. */
  look(): TaskEither<Unavailable, FoundRoot>
  /** Makes the root where there is none, and gives it this id where it has none. Gives the id that it has then. */
  name(id: string): TaskEither<Unavailable, string>
}
