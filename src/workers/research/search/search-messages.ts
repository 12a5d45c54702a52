import type { Recording } from '../recording.ts'
import type { Finding, SearchFailure, WantedClip } from '../searcher.ts'

/** Clips that are looked for together. */
export interface SearchJob {
  readonly episode: Recording
  readonly clips: readonly WantedClip[]
}

export type ToThread =
  | { readonly kind: 'search'; readonly job: SearchJob }
  /** Ends the job under way. */
  | { readonly kind: 'abort' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress' }
  | { readonly kind: 'found'; readonly outcome: Finding | SearchFailure }
  /** All that can be told was; `error` where the search broke off, at the episode's or the machine's fault. */
  | { readonly kind: 'done'; readonly error?: string }
