import type { Media } from './terms.ts'

/** One work item: an episode, and clips to look for in it. */
export interface ItemTask {
  readonly lease: string
  readonly episode: string
  /** Undefined: the episode was withdrawn since. */
  readonly media: Media | undefined
  /** In their order, without those that were withdrawn since. */
  readonly clips: readonly { readonly id: string; readonly media: Media }[]
}
