import type { ContentEntry, ContentFailure } from '../../../ports/content-store.ts'
import type { ContentPlace } from './content-place.ts'

/** Rules for requests to web servers. */
export interface HttpRules {
  /** Hosts that may be asked; absent: any. */
  readonly hosts?: readonly string[]
  /** The address comes from a stranger: it may lead to public addresses, or to those hosts, only. */
  readonly isForeign?: boolean
  readonly stallMillis: number
}

interface InStore extends ContentPlace {
  readonly http: HttpRules
}

export type StreamJob =
  | (InStore & { readonly kind: 'stat' })
  /** Fills the ring with the bytes, of that version alone, until its reader closes it. */
  | (InStore & { readonly kind: 'stream'; readonly entry: ContentEntry; readonly memory: SharedArrayBuffer })

export type StreamOutcome =
  | { readonly status: 'found'; readonly entry: ContentEntry }
  | { readonly status: 'failed'; readonly failure: ContentFailure }
  | { readonly status: 'closed' }
  /** The thread was lost, or stopped. */
  | { readonly status: 'broken'; readonly reason: string }

export interface StreamReply {
  readonly kind: 'done'
  readonly outcome: StreamOutcome
}

export interface StreamThreadSettings {
  /** Module whose default export opens a content store: `(root, settings) => ContentStore`. */
  readonly contentStoreModule: string
  /** Settings of the store, which get `http` beside them. */
  readonly contentSettings?: unknown
}

/** A file whose bytes come through a ring. */
export interface StreamFile {
  readonly memory: SharedArrayBuffer
  readonly size: number
  readonly modifiedAt: string
  /** For people: where it is. */
  readonly location: string
  /** Time without a byte after which a reader gives up. */
  readonly maxWaitMillis: number
}
