import { isRight } from 'fp-ts/lib/Either.js'
import { whenCaughtUp } from '../../async/caught-up.ts'
import { NotCaughtUp } from '../../async/wait-until.ts'
import type { Projection } from './projection.ts'
import {
  type ProjectionOptions,
  type ProjectionPosition,
  type ProjectionState,
  runProjection,
} from './run-projection.ts'

interface RunOptions extends ProjectionOptions {
  readonly projections: readonly Projection[]
  /** Queries may see more than before, whichever process folded it. */
  readonly onMove?: () => void
}

interface ProjectionStatus {
  readonly projection: string
  readonly version: number
  /** Folded up to here; -1n for nothing. */
  readonly position: bigint
  /** End of the log, as of the last look at it. */
  readonly head: bigint | undefined
  /** How many positions behind the head; positions have gaps, so this is more than the events that wait. */
  readonly lag: bigint | undefined
  readonly state: ProjectionState
  readonly lastError: string | undefined
}

export interface RunningProjections {
  /**
   * Resolves when queries of all these projections see everything up to `position`. Rejects with `NotCaughtUp`,
   * naming those that do not, after `timeoutMillis` or when the projections are stopped.
   */
  whenCaughtUp(position: bigint, options?: { readonly timeoutMillis?: number }): Promise<void>
  /** Asks for the head of the log, too: the next call knows it. */
  status(): readonly ProjectionStatus[]
  /** Resolves when no transaction is under way any more. */
  stop(): Promise<void>
}

/** Folds projections as events come. Any number of processes may do so on the same views: each event counts once. */
export const runProjections = (options: RunOptions): RunningProjections => {
  const { eventStore, clock, projections } = options
  const stopping = new AbortController()
  const listeners = new Set<() => void>()
  const standings = projections.map(
    (): ProjectionPosition => ({ state: 'catching-up', position: -1n, visible: -1n, lastError: undefined }),
  )
  let askedHead: bigint | undefined

  const listen = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const sees = (position: bigint) => standings.every(({ visible }) => visible >= position)
  const onStep = () => {
    options.onMove?.()
    for (const listener of listeners) listener()
  }

  const behind = (position: bigint): string =>
    standings
      .flatMap(({ visible, state, lastError }, i) =>
        visible >= position
          ? []
          : [`${projections[i]?.name} (${state}, at ${visible}${lastError ? `: ${lastError}` : ''})`],
      )
      .join(', ')

  const askHead = async () => {
    const head = await eventStore.head()()
    if (isRight(head)) askedHead = head.right
  }

  const done = Promise.all(
    projections.map((projection, i) =>
      runProjection(projection, options, standings[i] as ProjectionPosition, onStep, stopping.signal),
    ),
  )

  return {
    whenCaughtUp: async (position, { timeoutMillis: patienceMillis } = {}) => {
      const { signal } = stopping
      const reached = await whenCaughtUp(position, {
        reached: () => (sees(position) ? position : -1n),
        onChange: listen,
        clock,
        signal,
        ...(patienceMillis !== undefined && { patienceMillis }),
      })
      if (reached >= position) return
      throw new NotCaughtUp(
        signal.aborted
          ? `the projections were stopped before position ${position}: ${behind(position)}`
          : `not yet at position ${position}: ${behind(position)}`,
      )
    },

    status: () => {
      void askHead()
      const known = [askedHead, ...standings.map(({ position }) => position)]
      const head = known.reduce((most, each) => (each !== undefined && (most ?? -1n) <= each ? each : most))
      return standings.map(({ position, state, lastError }, i) => ({
        projection: projections[i]?.name ?? '',
        version: projections[i]?.version ?? 0,
        position,
        head,
        lag: head === undefined ? undefined : head - position,
        state,
        lastError,
      }))
    },

    stop: async () => {
      stopping.abort()
      await done
    },
  }
}
