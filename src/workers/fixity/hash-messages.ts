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
  readonly algorithms: readonly AnyAlgorithm[]
}

/** Files to check, one after the other. */
export interface ExamineJob extends InStore {
  readonly files: readonly Wanted[]
  /**
   * One 32-bit integer: index of the file being checked; -1 before the first. It is all that is known of a thread that
   * hangs.
   */
  readonly at: SharedArrayBuffer
}

/** The default export of a content store module. */
export type OpenContentStore = (root: string) => ContentStore

export interface ThreadSettings {
  readonly contentStoreModule: string
  readonly throttle?: ThrottleState
}

/** From a hash thread, about its job. */
export type HashReply =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'done'; readonly outcome: HashOutcome }
  /** For a job of many files, in their order: observations since the last reply. */
  | { readonly kind: 'seen'; readonly seen: readonly Seen[]; readonly isLast: boolean }
