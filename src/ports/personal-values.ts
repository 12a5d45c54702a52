import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PersonalValue } from '../domain/kernel/personal.ts'
import type { Unavailable } from './unavailable.ts'

/** How many values there are. */
export interface PersonalCounts {
  readonly kept: number
  readonly erased: number
  /** ISO 8601 UTC; undefined: nothing was erased. */
  readonly lastErased?: string | undefined
}

/** Values that the log says are to be erased. */
export interface Erased {
  readonly references: readonly string[]
  /** ISO 8601 UTC. */
  readonly at: string
}

/**
 * Personal values by their references in the log: the archive has them once, and its nodes share them. `Unavailable` where the
 * folder or the key cannot be read.
 */
export interface PersonalValues {
  /**
   * Returns a reference for each text, in the same order; it is on disk before. The same text has the same reference until it is
   * erased, and another one afterwards. A text that is a reference stays.
   */
  seal(texts: readonly string[]): TaskEither<Unavailable, readonly string[]>
  /**
   * The same of texts that a person typed: one that looks like a reference is a text like any other, so that nobody is shown as
   * somebody else by typing theirs.
   */
  sealTyped(texts: readonly string[]): TaskEither<Unavailable, readonly string[]>
  /** A mark of each text, in the same order, that this archive alone can make. */
  marks(texts: readonly string[]): TaskEither<Unavailable, readonly string[]>
  /** Those that are unknown here are left out. */
  find(references: readonly string[]): TaskEither<Unavailable, ReadonlyMap<string, PersonalValue>>
  /** Returns the reference of this very text; undefined: it has none, or was erased. */
  referenceOf(text: string): TaskEither<Unavailable, string | undefined>
  /** References of the values that hold a text, in upper or lower case. Reads all values. */
  holding(text: string): TaskEither<Unavailable, readonly string[]>
  /**
   * Destroys keys and values, in all pages of the file and in its write-ahead log, and notes the time (ISO 8601 UTC). Those that
   * are erased already keep theirs. `Unavailable` until no other process reads what was there before.
   */
  erase(references: readonly string[], at: string): TaskEither<Unavailable, void>
  /** Position in the log up to which it was erased; -1n: none yet. Undefined: there are no values. */
  erasedTo(): TaskEither<Unavailable, bigint | undefined>
  /** Erases, and then notes the position. */
  eraseUpTo(position: bigint, erased: readonly Erased[]): TaskEither<Unavailable, void>
  /** Makes nothing where there is nothing. */
  counts(): TaskEither<Unavailable, PersonalCounts>
  close(): void
}
