import type { MediaAddress } from './recording.ts'

/** A work item that a researcher has taken. */
export interface Job {
  readonly lease: string
  readonly episode: string
  /** Undefined: the episode was withdrawn meanwhile. */
  readonly media: MediaAddress | undefined
  /** In the order of the search, without those that were withdrawn meanwhile. */
  readonly clips: readonly JobClip[]
}

export interface JobClip {
  readonly id: string
  readonly media: MediaAddress
}
