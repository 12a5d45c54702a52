import type { Clip, Finding, Pcm, SearchFailure } from '@fonds/sound'
import type { TaskContext } from '../../async/task-context.ts'
import type { Engine } from '../../domain/research/terms.ts'
import type { Recording } from './recording.ts'

export interface WantedClip extends Clip {
  readonly recording: Recording
}

export interface SearchContext extends TaskContext {
  /** When it aborts, work under way is finished, and nothing more is begun: those clips have no outcome. */
  readonly winding?: AbortSignal
}

/** Searches for clips in an episode. */
export interface Searcher {
  readonly engine: Engine
  /** Sample rate that recordings must have. */
  readonly rate: number
  /**
   * Yields each clip's finding as soon as it is known, or the failure of that clip alone, in no particular order. The
   * clips share the episode's transforms.
   */
  search(episode: Pcm, clips: readonly Clip[], context: SearchContext): AsyncIterable<Finding | SearchFailure>
  close(): Promise<void>
}
