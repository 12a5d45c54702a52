import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { FoundRoot } from '../domain/ingest/storage/refusal.ts'
import type { Unavailable } from './unavailable.ts'

/** The place where the objects of the archive are, as this process was told it. */
export interface StorageRoot {
  /** What is there. Nothing is made. */
  look(): TaskEither<Unavailable, FoundRoot>
  /** Makes the root where there is none, and gives it this id where it has none. Gives the id that it has then. */
  name(id: string): TaskEither<Unavailable, string>
}
