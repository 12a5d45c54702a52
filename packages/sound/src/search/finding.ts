import type { DifferingStretch } from '../decode/tracks.ts'

/** Sound on disk as raw PCM: signed 16-bit little-endian samples, the mix of all channels. */
export interface Pcm {
  readonly path: string
  /** Samples a second. */
  readonly rate: number
  readonly samples: number
  /**
   * Stretches in which channels differ, in order. Behind the mix the file has their tracks, stretch by
   * stretch, a sample of each track in turn.
   */
  readonly differing?: readonly DifferingStretch[]
}

/** A clip to look for. `id` is the caller's. */
export interface Clip {
  readonly id: string
  readonly recording: Pcm
}

/** A place where an episode has a clip, or a part of it. */
export interface Match {
  /** Nanoseconds from the beginning of the episode to that of the clip, or of the part. */
  readonly offset: number
  /** Absolute value of the normalised cross-correlation, from 0 to 1. */
  readonly score: number
  /** Range of the clip that the episode has, in nanoseconds. Absent if it has all of it. */
  readonly part?: { readonly from: number; readonly to: number }
  /** Factor by which the episode plays the clip faster. Absent if it is 1. */
  readonly speed?: number
}

/** The result for one clip in one episode. */
export interface Finding {
  readonly clip: string
  /** Ordered by offset; empty if the episode does not have the clip. */
  readonly matches: readonly Match[]
  /** The best score seen anywhere. */
  readonly bestScore: number
  /** For people: "the clip is longer than the episode". */
  readonly note?: string
  /** The recording that has no sound in any channel, if one has none. */
  readonly silent?: 'episode' | 'clip'
}

/** A clip that could not be read or is too long. `error` is for people. */
export interface SearchFailure {
  readonly clip: string
  readonly error: string
}
