import type { MediaAddress } from './recording.ts'

/** A work item that a researcher has taken. */
export interface Job {
  readonly lease: string
  readonly episode: string
  /** Undefined: the episode was withdrawn since. */
  readonly media: MediaAddress | undefined
  /** In the order in which they are to be looked for, without those that were withdrawn since. */
  readonly clips: readonly JobClip[]
}

export interface JobClip {
  readonly id: string
  readonly media: MediaAddress
}
