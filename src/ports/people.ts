import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** A person outside of the log, which holds the reference alone. */
export interface Person {
  /** `<issuer>#<sub>`: the same for ever, and no name. */
  readonly reference: string
  /** For people. */
  readonly name?: string
  readonly mail?: string
  /** Time of the last sign-in, ISO 8601 UTC. Absent: never signed in. */
  readonly lastSeen?: string
}

/** Names and mail addresses by reference: `<home>/personal.db`. */
export interface People {
  /** Adds a person, or replaces what is kept under the reference. */
  note(person: Person): TaskEither<Unavailable, void>
  /** Persons with these references; those that are not kept are left out. */
  find(references: readonly string[]): TaskEither<Unavailable, readonly Person[]>
  close(): void
}
