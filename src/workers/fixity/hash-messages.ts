import type { Algorithm, Checksum } from '../../domain/fixity/checksum.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { ThrottleState } from './throttle.ts'

/** What came of hashing one piece of content. */
export type HashOutcome =
  | {
      readonly status: 'read'
      readonly bytes: number
      /** The version that was read: another than asked for where the content changed meanwhile. */
      readonly version: string
      readonly checksums: readonly Checksum[]
    }
  | { readonly status: 'missing' }
  /** It changed during each of the readings. */
  | { readonly status: 'changing' }
  | { readonly status: 'failed'; readonly error: string }
  /** The caller ended it, or the pool was closed: nothing is known of the content. */
  | { readonly status: 'aborted' }

export interface HashJob {
  /** What the store's factory is called with. */
  readonly root: string
  readonly path: string
  /** The version the caller saw. A reading that finds another starts again with that. */
  readonly version?: string
  readonly algorithms: readonly Algorithm[]
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
