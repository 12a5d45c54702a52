import { isRight } from 'fp-ts/lib/Either.js'
import { createCall } from '../../async/broadcast.ts'
import { whenCaughtUp } from '../../async/caught-up.ts'
import { NotCaughtUp } from '../../async/wait-until.ts'
import { foldAll, notBegun, type Running } from './fold-all.ts'
import type { Projection } from './projection.ts'
import type { ProjectionOptions, ProjectionState, ViewMove } from './run-projection.ts'

interface RunOptions extends ProjectionOptions {
  readonly projections: readonly Projection[]
  /** Called when queries may see more than before, whichever process folded it. */
  readonly onMove?: (move: ViewMove) => void
}

interface ProjectionStatus {
  readonly projection: string
  readonly version: number
  /** Folded up to here; -1n for nothing. */
  readonly position: bigint
  /** End of the log, when it was last read. */
  readonly head: bigint | undefined
  /** Positions behind the head; positions have gaps, so this is more than the waiting events. */
  readonly lag: bigint | undefined
  readonly state: ProjectionState
  readonly lastError: string | undefined
}

export interface RunningProjections {
  /**
   * Resolves when queries of all these projections see everything up to `position`. Rejects with `NotCaughtUp`, naming
   * those that do not, after `timeoutMillis` or when the projections are stopped.
   */
  whenCaughtUp(position: bigint, options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Also requests the head of the log: the next call knows it. */
  status(): readonly ProjectionStatus[]
  /** Resolves when no transaction is under way any more. */
  stop(): Promise<void>
}

/** Folds projections as events come. Any number of processes may do so on the same views: each event counts once. */
export const runProjections = (options: RunOptions): RunningProjections => {
  const { eventStore, clock, projections, observe = () => {} } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const moved = createCall()
  const running = projections.map((projection): Running => ({ projection, progress: notBegun() }))
  let askedHead: bigint | undefined

  const onStep = (move: ViewMove) => {
    options.onMove?.(move)
    moved.call()
  }

  const askHead = async () => {
    const head = await eventStore.head()()
    if (isRight(head)) askedHead = head.right
  }

  const folding = foldAll({ running, onStep, observe }, options)

  return {
    whenCaughtUp: async (position, { timeoutMillis: patienceMillis } = {}) => {
      const reached = await whenCaughtUp(position, {
        reached: () => (behind(running, position).length === 0 ? position : -1n),
        onChange: moved.listen,
        clock,
        signal,
        ...(patienceMillis !== undefined && { patienceMillis }),
      })
      if (reached >= position) return
      const why = signal.aborted ? 'the projections were stopped before' : 'not yet at'
      throw new NotCaughtUp(
        `${why} position ${position}: ${behind(running, position).map(inWords).join(', ')}`,
      )
    },
    status: () => {
      void askHead()
      return statusOf(running, askedHead)
    },
    stop: async () => {
      stopping.abort()
      await folding.stop()
    },
  }
}

const behind = (running: readonly Running[], position: bigint): readonly Running[] =>
  running.filter(({ progress }) => progress.visible < position)

const inWords = ({ projection, progress: { state, visible, lastError } }: Running): string =>
  `${projection.name} (${state}, at ${visible}${lastError ? `: ${lastError}` : ''})`

/** The head is the highest known position. */
const statusOf = (
  running: readonly Running[],
  askedHead: bigint | undefined,
): readonly ProjectionStatus[] => {
  const known = [askedHead, ...running.map(({ progress }) => progress.position)]
  const head = known.reduce((most, each) => (each !== undefined && (most ?? -1n) <= each ? each : most))
  return running.map(({ projection: { name, version }, progress: { position, state, lastError } }) => ({
    projection: name,
    version,
    position,
    head,
    lag: head === undefined ? undefined : head - position,
    state,
    lastError,
  }))
}
