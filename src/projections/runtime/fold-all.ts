import { passedCheckpoints } from '../../async/passed-checkpoints.ts'
import type { Projection } from './projection.ts'
import {
  type FoldedBatch,
  type ProjectionOptions,
  type ProjectionPosition,
  runProjection,
  type ViewMove,
} from './run-projection.ts'

/** A projection and its progress. */
export interface Running {
  readonly projection: Projection
  readonly progress: ProjectionPosition
}

/** Projections to fold, and the callbacks for their progress. */
interface ToFold {
  /** Each projection's progress is written here before the callbacks are called. */
  readonly running: readonly Running[]
  readonly onStep: (move: ViewMove) => void
  readonly observe: (batch: FoldedBatch) => void
}

/** Folding that goes on until it is stopped. */
interface Folding {
  /** Resolves when no transaction is under way any more. */
  stop(): Promise<void>
}

export const notBegun = (): ProjectionPosition => ({
  state: 'catching-up',
  position: -1n,
  visible: -1n,
  lastError: undefined,
})

/** Folds projections, in parallel. */
export const foldAll = (
  { running, onStep, observe }: ToFold,
  options: Omit<ProjectionOptions, 'observe'>,
): Folding => {
  const stopping = new AbortController()
  const { signal } = stopping
  const shared = { ...options, observe, passed: passedCheckpoints(options, signal) }
  const done = Promise.all(
    running.map(({ projection, progress }) => runProjection(projection, shared, progress, onStep, signal)),
  )
  return {
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}
