import type { AnyAlgorithm } from '@fonds/digests'
import type { ContentStore } from '../../ports/content-store.ts'
import type { Seen, Wanted } from './examine.ts'
import type { HashOutcome } from './hash-content.ts'
import type { ThrottleState } from './throttle.ts'

interface InStore {
  /** Argument of the store's factory. */
  readonly root: string
}

export interface HashJob extends InStore {
  readonly path: string
  /** The version that the caller saw. A reading that finds another version starts again with that one. */
  readonly version?: string
  /** One more is computed if none of these is claimed by the storage, and it claims others. */
  readonly algorithms: readonly AnyAlgorithm[]
}

/** Files to check, one after the other; several at once in a store that waits on a network. */
export interface ExamineJob extends InStore {
  readonly files: readonly Wanted[]
  /**
   * Two 32-bit integers: index of the first file that is not done, -1 before the first; and how many are read at once.
   * They are all that is known of a thread that hangs.
   */
  readonly at: SharedArrayBuffer
  /** Reads one file after the other, whatever the store: the one at which a thread dies is then known. */
  readonly oneByOne?: boolean
}

/** The default export of a content store module. */
export type OpenContentStore = (root: string, settings?: unknown) => ContentStore

export interface ThreadSettings {
  readonly contentStoreModule: string
  /** Second argument of the store's factory. */
  readonly contentSettings?: unknown
  readonly throttle?: ThrottleState
}

/** From a hash thread, about its job. */
export type HashReply =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'done'; readonly outcome: HashOutcome }
  /** For a job of many files, in their order: observations since the last reply. */
  | { readonly kind: 'seen'; readonly seen: readonly Seen[]; readonly isLast: boolean }
