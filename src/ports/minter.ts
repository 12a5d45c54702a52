import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from './unavailable.ts'

/** What whoever looks an identifier up is told. */
export interface ObjectCitation {
  readonly who?: string
  readonly what?: string
  readonly when?: string
  /** Whom the object belongs to. */
  readonly owner: string
}

export type MinterFailure =
  /** It will say no the next time, too. */
  { readonly kind: 'Refused'; readonly reason: string } | Unavailable

/** Where identifiers are registered. They are chosen, and kept, before: an answer that was lost loses none. */
export interface Minter {
  /** Creates it, or brings what is known of it up to date. */
  register(ark: string, citation: ObjectCitation, signal: AbortSignal): TaskEither<MinterFailure, void>
}
