import type { Algorithm } from '@fonds/digests'
import type { ContentStore } from '../../ports/content-store.ts'
import type { HashOutcome } from './hash-content.ts'
import type { Seen, Wanted } from './look.ts'
import type { ThrottleState } from './throttle.ts'

interface InStore {
  /** What the store's factory is called with. */
  readonly root: string
}

export interface HashJob extends InStore {
  readonly path: string
  /** The version the caller saw. A reading that finds another starts again with that. */
  readonly version?: string
  readonly algorithms: readonly Algorithm[]
}

/** Files to look at, one after the other. */
export interface LookJob extends InStore {
  readonly files: readonly Wanted[]
  /** One 32-bit integer: which of the files is being looked at; -1 before the first. Of a thread that hangs nothing else is heard. */
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
  /** Of a look job, in the order of its files: what was seen since the last reply. */
  | { readonly kind: 'seen'; readonly seen: readonly Seen[]; readonly isLast: boolean }
