import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** A person outside of the log, which holds the reference alone. */
export interface Person {
  /** `<issuer>#<sub>` of whoever signed in, `person#<uuid>` of others: the same for ever, and no name. */
  readonly reference: string
  /** For people. */
  readonly name?: string
  readonly mail?: string
  /** Time of the last sign-in, ISO 8601 UTC. Absent: never signed in. */
  readonly lastSeen?: string
}

/** Somebody whose name and address are to be deleted. */
export interface Forgotten {
  readonly reference: string
  /** ISO 8601 UTC. */
  readonly at: string
}

/** Names and mail addresses by reference: `<home>/personal.db`. */
export interface People {
  /** Adds a person, or replaces what is kept under the reference. */
  note(person: Person): TaskEither<Unavailable, void>
  /** Persons with these references; those that are not kept are left out. */
  find(references: readonly string[]): TaskEither<Unavailable, readonly Person[]>
  /** All that are kept, by name, then by reference. */
  list(): TaskEither<Unavailable, readonly Person[]>
  /** Persons with this mail address, in upper or lower case: whoever signed in last comes first. */
  withMail(mail: string): TaskEither<Unavailable, readonly Person[]>
  /** Deletes what is kept under the reference, from all pages of the file. False: nothing is. */
  forget(reference: string): TaskEither<Unavailable, boolean>
  /** Position in the log up to which people were forgotten; -1n: none yet. Undefined: nobody is kept. */
  forgottenTo(): TaskEither<Unavailable, bigint | undefined>
  /** Deletes those who have not signed in since they were forgotten, and notes the position, in one step. */
  forgetUpTo(position: bigint, forgotten: readonly Forgotten[]): TaskEither<Unavailable, void>
  close(): void
}
