import type { Hold } from '../../async/hold.ts'
import type { Engine, Match } from '../../domain/research/terms.ts'
import type { Recording } from './recording.ts'

export interface WantedClip {
  readonly id: string
  readonly recording: Recording
}

/** Of one clip in one episode. */
export interface Finding {
  readonly clip: string
  /** By offset; empty where it is not in it. Offsets are nanoseconds from the beginning of the episode. */
  readonly matches: readonly Match[]
  /** The best score seen anywhere. */
  readonly bestScore: number
  /** For people: "the clip is longer than the episode". */
  readonly note?: string
}

export interface SearchHold extends Hold {
  /** When it aborts, what is under way is finished, and nothing more is begun: those clips have no outcome. */
  readonly winding?: AbortSignal
}

/** Looks for clips in an episode. */
export interface Searcher {
  readonly engine: Engine
  /** Sample rate that recordings must have. */
  readonly rate: number
  /**
   * Each clip's finding as soon as there is one, or the failure of that clip alone, in no particular order. The clips share
   * the episode's transforms.
   */
  search(
    episode: Recording,
    clips: readonly WantedClip[],
    hold: SearchHold,
  ): AsyncIterable<Finding | SearchFailure>
  close(): Promise<void>
}

export interface SearchFailure {
  readonly clip: string
  readonly error: string
}
