import type { Clip, Finding, Pcm, SearchFailure } from '@fonds/sound'

/** Clips that are searched together. */
export interface SearchJob {
  readonly episode: Pcm
  readonly clips: readonly Clip[]
  /** Maximum difference in speed from the episode: 0.01 is one per cent. */
  readonly drift: number
}

/** From a search thread, about its job. */
export type SearchReply =
  | { readonly kind: 'progress' }
  | { readonly kind: 'found'; readonly outcome: Finding | SearchFailure }
  /** The end; `error` is present if the search broke off because of the episode or the machine. */
  | { readonly kind: 'done'; readonly error?: string }
