import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** Metadata that an identifier resolves to. */
export interface ObjectCitation {
  readonly who?: string
  readonly what?: string
  readonly when?: string
  /** Owner of the object. */
  readonly owner: string
}

export type MinterFailure =
  /** It will be refused the next time, too. */
  { readonly kind: 'Refused'; readonly reason: string } | Unavailable

/** A registry of identifiers. They are chosen and stored before registration: a lost response loses none. */
export interface Minter {
  /** Registers it, or updates its metadata. */
  register(ark: string, citation: ObjectCitation, signal: AbortSignal): TaskEither<MinterFailure, void>
}
