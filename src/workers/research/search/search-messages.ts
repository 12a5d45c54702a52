import type { Recording } from '../recording.ts'
import type { Finding, SearchFailure, WantedClip } from '../searcher.ts'

/** Clips that are looked for together. */
export interface SearchJob {
  readonly episode: Recording
  readonly clips: readonly WantedClip[]
}

/** What a search thread says of the job under way. */
export type SearchTold =
  | { readonly kind: 'progress' }
  | { readonly kind: 'found'; readonly outcome: Finding | SearchFailure }
  /** All that can be told was; `error` where the search broke off, at the episode's or the machine's fault. */
  | { readonly kind: 'done'; readonly error?: string }
